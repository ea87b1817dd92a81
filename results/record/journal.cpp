// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/parse_limits.hpp"

namespace assay::results {
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

/// Held around repair and write, so that several processes may append to one journal. Where the file system
/// has no locks (some NFS mounts) one writer at a time is the caller's business.
class FileLock {
 public:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {
    while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FileLock() { ::flock(descriptor_, LOCK_UN); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

/// Pipes and devices cannot be synced, and nothing is lost by that.
int sync(int descriptor) {
  while (::fdatasync(descriptor) != 0) {
    if (errno == EINTR) continue;
    return errno == EINVAL || errno == EROFS ? 0 : errno;
  }
  return 0;
}

bool is_regular(int descriptor) {
  struct stat status{};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

std::string read_range(int descriptor, off_t from, off_t to) {
  std::string bytes(static_cast<std::size_t>(to - from), '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got =
        ::pread(descriptor, bytes.data() + have, bytes.size() - have, from + static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

/// Offset just behind the last newline before `end`.
off_t end_of_last_line(int descriptor, off_t end) {
  constexpr off_t block = 64 * 1024;
  for (off_t to = end; to > 0; to -= std::min(block, to)) {
    const off_t from = to - std::min(block, to);
    const std::size_t newline = read_range(descriptor, from, to).rfind('\n');
    if (newline != std::string::npos) return from + static_cast<off_t>(newline) + 1;
  }
  return 0;
}

bool is_whole_record(const std::string& line) {
  try {
    from_line(line);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

/// A kill leaves at most one line without its newline: ends it if the record is whole, else cuts it off.
/// Returns the length of the file afterwards.
off_t repair_tail(int descriptor, const std::filesystem::path& path) {
  const off_t end = ::lseek(descriptor, 0, SEEK_END);
  if (end <= 0 || read_range(descriptor, end - 1, end) == "\n") return end;
  const off_t good = end_of_last_line(descriptor, end);
  if (is_whole_record(read_range(descriptor, good, end)) && core::write_bytes(descriptor, "\n") == 0)
    return end + 1;
  if (::ftruncate(descriptor, good) != 0)
    fail(errno, "journal " + path.string() + ": cutting off a torn line");
  return good;
}

/// Whether any of these whole lines holds such a record. Damaged ones hold none.
bool any_record_in(const std::string& lines, const std::function<bool(const Record&)>& is_there) {
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    try {
      if (is_there(from_line(line))) return true;
    } catch (const std::runtime_error&) {
      continue;
    }
  }
  return false;
}

/// Makes the new file's directory entry survive a power failure, where the file system can.
void sync_directory(const std::filesystem::path& path) {
  const auto parent = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const core::Descriptor directory(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory) ::fsync(directory.get());
}

core::Descriptor new_rescue_file(const std::filesystem::path& journal, std::filesystem::path& file) {
  const char* folder = std::getenv("TMPDIR");
  std::string name = (std::filesystem::path(folder && *folder ? folder : "/tmp") /
                      (journal.stem().string() + "-rescued-XXXXXX.jsonl"))
                         .string();
  core::Descriptor opened(::mkostemps(name.data(), 6, O_APPEND | O_CLOEXEC));
  file = name;
  return opened;
}

/// 0 when the line is safe in the rescue file, which is made at the first need.
int rescue(const std::filesystem::path& journal, const std::string& line, std::filesystem::path& rescued) {
  std::filesystem::path file = rescued;
  const core::Descriptor opened =
      rescued.empty() ? new_rescue_file(journal, file)
                      : core::Descriptor(::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!opened) return errno;
  const off_t before = ::lseek(opened.get(), 0, SEEK_END);
  int error = core::write_bytes(opened.get(), line);
  if (error == 0) error = sync(opened.get());
  if (error != 0 && ::ftruncate(opened.get(), before) != 0) error = errno;
  if (error == 0)
    rescued = file;
  else if (rescued.empty())
    ::unlink(file.c_str());
  return error;
}

}  // namespace

JournalWriter::JournalWriter(const std::filesystem::path& path) : path_(path) {
  const bool is_new = !std::filesystem::exists(path);
  file_ = core::Descriptor(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
  if (!file_ && errno == EACCES)
    file_ = core::Descriptor(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!file_) fail(errno, "journal " + path.string() + ": opening it to append");
  if (is_new) sync_directory(path);
  if (!is_regular(file_.get())) return;
  const FileLock lock(file_.get());
  repair_tail(file_.get(), path_);
}

void JournalWriter::write(const Record& record) {
  append([line = to_line(record)](std::int64_t) { return line; });
}

void JournalWriter::write_all(std::span<const Record> records) {
  if (records.empty()) return;
  std::string lines;
  for (const Record& record : records) lines += (lines.empty() ? "" : "\n") + to_line(record);
  append([&](std::int64_t) { return lines; });
}

void JournalWriter::write_made(const std::function<std::optional<Record>()>& make) {
  append([&](std::int64_t) -> std::optional<std::string> {
    const std::optional<Record> record = make();
    if (!record) return std::nullopt;
    return to_line(*record);
  });
}

bool JournalWriter::write_unless(const Record& record, const std::function<bool(const Record&)>& is_there) {
  return append([&, line = to_line(record)](std::int64_t end) -> std::optional<std::string> {
    if (own_end_ < 0 || end < 0 || end == own_end_) return line;
    const bool rewritten = end < own_end_;
    if (rewritten || any_record_in(read_range(file_.get(), own_end_, end), is_there)) return std::nullopt;
    return line;
  });
}

/// False where `make` made nothing.
bool JournalWriter::append(const std::function<std::optional<std::string>(std::int64_t end)>& make) {
  int error = 0;
  std::string cut, line;
  {
    const int file = file_.get();
    const FileLock lock(file);
    const off_t before = is_regular(file) ? repair_tail(file, path_) : -1;
    std::optional<std::string> made = make(before);
    if (!made) return false;
    line = std::move(*made) + '\n';
    error = core::write_bytes(file, line);
    if (error == 0) error = sync(file);
    if (error == 0 && before >= 0) own_end_ = before + static_cast<off_t>(line.size());
    if (error == 0) return true;
    if (before >= 0 && ::ftruncate(file, before) != 0) cut = "; its torn part could not be cut off";
  }
  const std::string what = "journal " + path_.string() + ": a line could not be written" + cut;
  const int rescue_error = rescue(path_, line, rescued_);
  if (rescue_error == 0) fail(error, what + "; it was kept in " + rescued_.string());
  fail(error, what + ", nor to a rescue file (" + std::generic_category().message(rescue_error) +
                  "); it is: " + line.substr(0, line.size() - 1));
}

std::string longer_than_any_line() {
  return "longer than " + std::to_string(core::ParseLimits::line_bytes >> 20U) + " MiB";
}

JournalProblem refused_line(const std::filesystem::path& file, long line, const std::string& what,
                            bool torn) {
  return {file, line, what + (torn ? " (last line, no newline)" : ""), torn};
}

std::vector<JournalProblem> for_each_record(const std::filesystem::path& path,
                                            const std::function<void(const Record&)>& visit) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    fail(file ? EISDIR : errno, "journal " + path.string() + ": opening it to read");
  std::vector<JournalProblem> problems;
  std::string line;
  for (long number = 1; std::getline(file, line); ++number) {
    const bool torn = file.eof();
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    std::optional<Record> record;
    try {
      if (line.size() > core::ParseLimits::line_bytes) throw std::runtime_error(longer_than_any_line());
      record = from_line(line);
    } catch (const std::runtime_error& error) {
      problems.push_back(refused_line(path, number, error.what(), torn));
    }
    if (record) visit(*record);
  }
  if (file.bad()) fail(EIO, "journal " + path.string() + ": reading it");
  return problems;
}

}  // namespace assay::results
