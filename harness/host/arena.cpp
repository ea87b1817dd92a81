// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/host/arena.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "harness/host/available_memory.hpp"
#include "harness/host/topology.hpp"

namespace assay::host {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

std::atomic<std::int64_t> arena_bytes_alive{0};

std::string gibibytes(double bytes) {
  return fmt::format("{:.4g} GiB", bytes / static_cast<double>(1 << 30));
}

[[noreturn]] void fail(const std::string& doing, int code) {
  throw core::Error(core::ErrorKind::system, fmt::format("{}: {}", doing, std::strerror(code)), code);
}

int node_count() { return hwloc_get_nbobjs_by_type(topology().hwloc.get(), HWLOC_OBJ_NUMANODE); }

/// Memory is given out when it is touched, so a mapping that is too large would succeed now and end in the
/// OOM killer.
void require_available(std::size_t bytes, int asked_node) {
  // The machine's own count is the better one for its only node: memory plugged in late may be missing there.
  const int node = node_count() == 1 ? -1 : asked_node;
  const std::int64_t untouched = std::max<std::int64_t>(0, arena_bytes_alive - resident_bytes());
  const std::int64_t available = available_memory_bytes(node) - untouched;
  const std::int64_t usable = available - available / 32;  // page tables, and the rest of the process
  if (usable > 0 && bytes <= static_cast<std::size_t>(usable)) return;
  throw core::Unsupported(
      core::ErrorKind::system,
      fmt::format("{} of memory asked for, {} available{}", gibibytes(static_cast<double>(bytes)),
                  gibibytes(static_cast<double>(std::max<std::int64_t>(0, usable))),
                  node < 0 ? "" : fmt::format(" on NUMA node {}", node)),
      ENOMEM);
}

void bind_to_node(void* data, std::size_t bytes, int node) {
  hwloc_topology_t hwloc = topology().hwloc.get();
  const hwloc_obj_t object = hwloc_get_numanode_obj_by_os_index(hwloc, static_cast<unsigned>(node));
  if (object == nullptr) core::usage_error(fmt::format("this machine has no NUMA node {}", node));
  // With one node there is nothing to choose, and containers often forbid mbind.
  if (node_count() == 1) return;
  if (hwloc_set_area_membind(hwloc, data, bytes, object->nodeset, HWLOC_MEMBIND_BIND,
                             HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_STRICT) != 0)
    fail(fmt::format("bind memory to NUMA node {}", node), errno);
}

/// "7f12a0000000-7f12a0200000 rw-p ...": the range a smaps entry describes; false for any other line.
bool parse_range(const std::string& line, std::uintptr_t& begin, std::uintptr_t& end) {
  const char* last = line.data() + line.size();
  const auto first = std::from_chars(line.data(), last, begin, 16);
  if (first.ec != std::errc{} || first.ptr == last || *first.ptr != '-') return false;
  const auto second = std::from_chars(first.ptr + 1, last, end, 16);
  return second.ec == std::errc{} && second.ptr != last && *second.ptr == ' ';
}

}  // namespace

// Delegates, so that the destructor runs where the rest of the constructor throws.
Arena::Arena(std::size_t bytes, int node, Pages pages) : Arena() {
  if (bytes == 0) core::usage_error("memory of 0 bytes asked for: expected at least 1");
  require_available(bytes, node);
  // The guards also keep the kernel from merging this mapping with a neighbour: its smaps entry is its own.
  const std::size_t inner = core::rounded_up(bytes, huge_page);
  void* mapping =
      mmap(nullptr, inner + 3 * huge_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) fail(fmt::format("map {}", gibibytes(static_cast<double>(bytes))), errno);
  mapping_ = mapping;
  mapped_ = inner + 3 * huge_page;
  bytes_ = bytes;
  arena_bytes_alive += static_cast<std::int64_t>(bytes);

  const std::uintptr_t begin =
      reinterpret_cast<std::uintptr_t>(mapping) / huge_page * huge_page + 2 * huge_page;
  data_ = reinterpret_cast<std::byte*>(begin);
  if (mprotect(data_, inner, PROT_READ | PROT_WRITE) != 0) fail("make memory writable", errno);
  // Fails on a kernel without transparent huge pages; what was got is read from smaps and recorded.
  madvise(data_, inner, pages == Pages::base ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
  if (node >= 0) bind_to_node(data_, inner, node);
}

Arena::~Arena() {
  if (mapping_ == nullptr) return;
  munmap(mapping_, mapped_);
  arena_bytes_alive -= static_cast<std::int64_t>(bytes_);
}

Arena::Arena(Arena&& other) noexcept { swap(other); }

Arena& Arena::operator=(Arena&& other) noexcept {
  Arena taken(std::move(other));
  swap(taken);
  return *this;
}

void Arena::swap(Arena& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_, other.mapped_);
}

std::int64_t Arena::huge_page_bytes() const {
  const auto begin = reinterpret_cast<std::uintptr_t>(data_);
  std::ifstream smaps("/proc/self/smaps");
  std::int64_t bytes = 0;
  bool ours = false;
  for (std::string line; std::getline(smaps, line);) {
    std::uintptr_t low = 0, high = 0;
    if (parse_range(line, low, high)) {
      ours = low < begin + bytes_ && begin < high;
    } else if (ours && line.starts_with("AnonHugePages:")) {
      bytes += std::stoll(line.substr(14)) * 1024;
    }
  }
  return std::min(bytes, static_cast<std::int64_t>(bytes_));
}

}  // namespace assay::host
