// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether a process's resident memory grows while it does the same again and again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace assay::collectives {

/// Bytes of this process in memory (/proc/self/statm). Throws core::Error (system) where it cannot be read.
std::int64_t resident_bytes();

class ResidentMemory {
 public:
  static constexpr std::int64_t least_leak = std::int64_t{1} << 20;

  void add(std::int64_t bytes);
  std::int64_t last() const { return readings_.empty() ? 0 : readings_.back(); }
  /// Says that the last half of the readings grew: of its four blocks, the least of each is above the one
  /// before, from first to last by least_leak or more. Nothing where it is steady.
  std::optional<std::string> leak() const;

 private:
  std::vector<std::int64_t> readings_;  // every `stride_`-th
  std::int64_t stride_ = 1, seen_ = 0;
};

}  // namespace assay::collectives
