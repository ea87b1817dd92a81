// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/sqlite/page_checksums.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "results/store/sqlite/database.hpp"
#include "results/store/sqlite/matched_pages.hpp"

namespace assay::results {
namespace {

constexpr int header_bytes = 100;                            // of the file format
constexpr std::size_t page_bytes_at = 16, reserved_at = 20;  // in the header: of each page, and at its end
constexpr sqlite3_int64 lock_byte = 0x40000000;              // SQLite leaves its page unused

/// A file that SQLite opened here; the file of the layer below follows it in memory.
struct CheckedFile {
  sqlite3_file base = {};
  int page_bytes = 0;  // 0: its pages have no checksums, or it has none yet
  std::shared_ptr<MatchedPages> matched = {};
};

struct DamagedPage {
  sqlite3_int64 number = 0;
  int bytes = 0;
};
thread_local DamagedPage latest_damage [[gnu::tls_model("initial-exec")]];

sqlite3_vfs* files_below() {
  static sqlite3_vfs* const found = sqlite3_vfs_find(nullptr);
  return found;
}

CheckedFile& checked(sqlite3_file* file) { return *reinterpret_cast<CheckedFile*>(file); }
sqlite3_file* file_below(sqlite3_file* file) { return reinterpret_cast<sqlite3_file*>(&checked(file) + 1); }

/// Before SQLite knows the size of pages it reads the first of another size, and then again.
bool is_page(const CheckedFile& file, int bytes) { return file.page_bytes > 0 && bytes == file.page_bytes; }

std::span<const std::byte> summed_part(const void* page, int bytes) {
  return {static_cast<const std::byte*>(page), static_cast<std::size_t>(bytes - page_checksum_bytes)};
}

/// Fletcher's sums over words of 64 bits: they see what changed, and where.
struct Fletcher {
  std::uint64_t sum, sum_of_sums;

  void add(std::uint64_t word) {
    sum += word;
    sum_of_sums += sum;
  }
  /// Adds each word, as add() does. A lane is every eighth word, and the lanes are added side by side. Of n
  /// words, the one at i is n - i times in the sum of sums: in the group k of G at lane j, 8 (G - k) - j
  /// times.
  void add_groups(std::span<const std::byte> words) {
    constexpr std::size_t lanes = 8;
    std::array<std::uint64_t, lanes> group{}, sums{}, sums_of_sums{};
    for (std::size_t at = 0; at + sizeof group <= words.size(); at += sizeof group) {
      std::memcpy(group.data(), words.data() + at, sizeof group);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        sums[lane] += group[lane];
        sums_of_sums[lane] += sums[lane];
      }
    }
    sum_of_sums += words.size() / sizeof group * lanes * sum;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      sum += sums[lane];
      sum_of_sums += lanes * sums_of_sums[lane] - lane * sums[lane];
    }
  }
};

/// The checksum of a page without its last 8 bytes. It depends on the page's number, so that a page in
/// another's place is found.
std::uint64_t page_checksum(std::span<const std::byte> page, std::int64_t number) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U, other_odd = 0xc2b2ae3d27d4eb4fU;
  Fletcher sums{odd * static_cast<std::uint64_t>(number + 1), other_odd};
  const std::size_t in_groups = page.size() / 64 * 64;
  sums.add_groups(page.first(in_groups));
  for (std::size_t at = in_groups; at + 8 <= page.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, page.data() + at, sizeof word);
    sums.add(word);
  }
  return (sums.sum * odd) ^ std::rotl(sums.sum_of_sums * other_odd, 31);
}

bool matches_checksum(const void* page, int bytes, sqlite3_int64 number) {
  const auto summed = summed_part(page, bytes);
  std::uint64_t kept = 0;
  std::memcpy(&kept, summed.data() + summed.size(), sizeof kept);
  return kept == page_checksum(summed, number);
}

/// The first page says how large pages are, and whether they have checksums.
void look_at_header(CheckedFile& file, const void* data, int bytes, sqlite3_int64 offset) {
  constexpr char format_name[] = "SQLite format 3";
  if (offset != 0 || bytes < header_bytes || std::memcmp(data, format_name, sizeof format_name) != 0) return;
  const auto* const header = static_cast<const unsigned char*>(data);
  const int page_bytes = header[page_bytes_at] * 256 + header[page_bytes_at + 1];  // 1 is 65,536
  file.page_bytes = header[reserved_at] != page_checksum_bytes ? 0 : page_bytes == 1 ? 65536 : page_bytes;
}

int read_file(sqlite3_file* file, void* data, int bytes, sqlite3_int64 offset) {
  const int code = file_below(file)->pMethods->xRead(file_below(file), data, bytes, offset);
  if (code != SQLITE_OK) return code;
  look_at_header(checked(file), data, bytes, offset);
  if (!is_page(checked(file), bytes)) return code;
  const sqlite3_int64 number = offset / bytes + 1;
  if (matches_checksum(data, bytes, number)) {
    checked(file).matched->add(number);
    return code;
  }
  latest_damage = {number, bytes};
  return SQLITE_IOERR_DATA;
}

/// The bytes at the end are reserved for this; SQLite leaves them as they are.
int write_file(sqlite3_file* file, const void* data, int bytes, sqlite3_int64 offset) {
  look_at_header(checked(file), data, bytes, offset);
  if (is_page(checked(file), bytes)) {
    const auto summed = summed_part(data, bytes);
    const std::uint64_t sum = page_checksum(summed, offset / bytes + 1);
    std::memcpy(const_cast<std::byte*>(summed.data()) + summed.size(), &sum, sizeof sum);
    checked(file).matched->remove(offset / bytes + 1);
  }
  return file_below(file)->pMethods->xWrite(file_below(file), data, bytes, offset);
}

/// Leaves what needs no checksums to the layer below.
template <auto method, class... Arguments>
int pass_on(sqlite3_file* file, Arguments... arguments) {
  return (file_below(file)->pMethods->*method)(file_below(file), arguments...);
}

int close_file(sqlite3_file* file) {
  const int code = file_below(file)->pMethods->xClose(file_below(file));
  std::destroy_at(&checked(file));
  return code;
}

using Methods = sqlite3_io_methods;
/// Version 1: no memory map, which would be read past the checksums, and no write-ahead log.
const Methods checked_methods = [] {
  Methods methods{};
  methods.iVersion = 1;
  methods.xClose = close_file;
  methods.xRead = read_file;
  methods.xWrite = write_file;
  methods.xTruncate = pass_on<&Methods::xTruncate>;
  methods.xSync = pass_on<&Methods::xSync>;
  methods.xFileSize = pass_on<&Methods::xFileSize>;
  methods.xLock = pass_on<&Methods::xLock>;
  methods.xUnlock = pass_on<&Methods::xUnlock>;
  methods.xCheckReservedLock = pass_on<&Methods::xCheckReservedLock>;
  methods.xFileControl = pass_on<&Methods::xFileControl>;
  methods.xSectorSize = pass_on<&Methods::xSectorSize>;
  methods.xDeviceCharacteristics = pass_on<&Methods::xDeviceCharacteristics>;
  return methods;
}();

/// Rollback journals have checksums of their own, and temporary files end with the process.
int open_file(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* flags_out) {
  sqlite3_vfs* const vfs = files_below();
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return vfs->xOpen(vfs, name, file, flags, flags_out);
  std::construct_at(&checked(file));
  const int code = vfs->xOpen(vfs, name, file_below(file), flags, flags_out);
  if (file_below(file)->pMethods == nullptr) {
    std::destroy_at(&checked(file));  // no one closes it
    file->pMethods = nullptr;
    return code;
  }
  checked(file).matched = MatchedPages::of_file(name);
  file->pMethods = &checked_methods;
  return code;
}

bool all_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

const char* checked_files() {
  static constexpr const char* name = "assay-checked";
  static const bool known = [] {
    static sqlite3_vfs vfs = *files_below();
    vfs.zName = name;
    vfs.pNext = nullptr;
    vfs.szOsFile += static_cast<int>(sizeof(CheckedFile));
    vfs.xOpen = open_file;
    return sqlite3_vfs_register(&vfs, 0) == SQLITE_OK;
  }();
  return known ? name : nullptr;
}

std::string damaged_page() {
  const sqlite3_int64 begin = (latest_damage.number - 1) * latest_damage.bytes;
  return fmt::format("page {} (bytes {} to {})", latest_damage.number, begin,
                     begin + latest_damage.bytes - 1);
}

void verify_pages(sqlite3* connection) {
  Statement reading(connection, "SELECT 1 FROM sqlite_master");  // holds the lock until it ends
  reading.step();
  const std::int64_t unused = Statement(connection, "PRAGMA freelist_count").single_integer();
  const std::int64_t page_bytes = Statement(connection, "PRAGMA page_size").single_integer();
  sqlite3_file* file = nullptr;
  sqlite3_int64 size = 0;
  sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file));
  if (file == nullptr || file->pMethods != &checked_methods) return;
  if (file->pMethods->xFileSize(file, &size) != SQLITE_OK) throw DamagedStore("its size cannot be read");
  std::vector<std::byte> page(static_cast<std::size_t>(page_bytes));
  for (sqlite3_int64 offset = 0; offset + page_bytes <= size; offset += page_bytes) {
    if (offset == lock_byte / page_bytes * page_bytes) continue;
    if (checked(file).matched->has(offset / page_bytes + 1)) continue;
    const int code = file->pMethods->xRead(file, page.data(), static_cast<int>(page_bytes), offset);
    // A page that no row needs may never have been written.
    if (code == SQLITE_OK || (code == SQLITE_IOERR_DATA && unused > 0 && all_zero(page))) continue;
    throw DamagedStore(code == SQLITE_IOERR_DATA ? damaged_page() + " does not match its checksum"
                                                 : fmt::format("cannot be read at byte {}", offset));
  }
}

}  // namespace assay::results
