// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The memory of the one arena that is alive, as the kernel lists it, so that a test can damage what a kernel
// wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay::memory::tests {

/// Writable, in whole huge pages, between two guards: see host::Arena. Throws where there is not exactly one.
inline std::span<std::byte> only_arena() {
  constexpr std::uintptr_t huge_page = std::uintptr_t{2} << 20U;
  struct Range {
    std::uintptr_t begin = 0, end = 0;
    std::string rights = {};
  };
  std::vector<Range> ranges;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    Range& range = ranges.emplace_back();
    char dash = 0;
    std::istringstream(line) >> std::hex >> range.begin >> dash >> range.end >> range.rights;
  }
  const auto guards = [](const Range& range) {
    return range.rights == "---p" && range.end - range.begin >= huge_page / 2;
  };
  std::vector<std::span<std::byte>> arenas;
  for (std::size_t i = 1; i + 1 < ranges.size(); ++i) {
    const Range &before = ranges[i - 1], &range = ranges[i], &after = ranges[i + 1];
    if (range.rights == "rw-p" && range.begin % huge_page == 0 && range.end % huge_page == 0 &&
        guards(before) && before.end == range.begin && guards(after) && after.begin == range.end)
      arenas.emplace_back(reinterpret_cast<std::byte*>(range.begin), range.end - range.begin);
  }
  if (arenas.size() != 1) throw std::runtime_error(std::to_string(arenas.size()) + " arenas, expected one");
  return arenas.front();
}

}  // namespace assay::memory::tests
