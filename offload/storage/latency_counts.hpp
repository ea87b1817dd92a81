// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Latencies of any number of operations in little memory: counts by time, each count's range 1/128 of it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace assay::offload {

class LatencyCounts {
 public:
  LatencyCounts();

  void add(double seconds);
  void add(const LatencyCounts& others);
  void clear() { *this = LatencyCounts(); }

  std::int64_t operations() const { return operations_; }
  double max_s() const { return static_cast<double>(max_ns_) * 1e-9; }
  /// The q-quantile in seconds, q in (0, 1), within 1/128 above it; nothing where there are too few
  /// operations for it at 95 % confidence (core::samples_needed).
  std::optional<double> quantile_s(double q) const;

 private:
  std::vector<std::int64_t> counts_;  // by range
  std::int64_t operations_ = 0;
  std::uint64_t max_ns_ = 0;
};

}  // namespace assay::offload
