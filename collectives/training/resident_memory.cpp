// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/training/resident_memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"

namespace assay::collectives {
namespace {

constexpr std::size_t most_readings = 4096, leak_blocks = 4;

}  // namespace

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all_pages = 0, resident_pages = 0;
  if (!(file >> all_pages >> resident_pages))
    throw core::Error(core::ErrorKind::system, "/proc/self/statm: expected this process's pages in memory");
  return resident_pages * sysconf(_SC_PAGESIZE);
}

void ResidentMemory::add(std::int64_t bytes) {
  if (readings_.empty()) readings_.reserve(most_readings);  // so that it does not grow itself
  if (seen_++ % stride_ != 0) return;
  if (readings_.size() == most_readings) {
    for (std::size_t i = 0; i < most_readings / 2; ++i) readings_[i] = readings_[2 * i];
    readings_.resize(most_readings / 2);
    stride_ *= 2;
  }
  readings_.push_back(bytes);
}

std::optional<std::string> ResidentMemory::leak() const {
  const std::size_t of_block = readings_.size() / 2 / leak_blocks;
  if (of_block == 0) return std::nullopt;
  std::array<std::int64_t, leak_blocks> least{};
  for (std::size_t block = 0; block < leak_blocks; ++block) {
    const auto begin = readings_.end() - static_cast<std::ptrdiff_t>((leak_blocks - block) * of_block);
    least[block] = *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(of_block));
    if (block > 0 && least[block] <= least[block - 1]) return std::nullopt;
  }
  const std::int64_t grown = least.back() - least.front();
  if (grown < least_leak) return std::nullopt;
  return fmt::format("resident memory grew by {:.1f} MiB over the last half of {} steps",
                     static_cast<double>(grown) / static_cast<double>(core::mib), seen_);
}

}  // namespace assay::collectives
