// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/storage/latency_counts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include "harness/core/statistics/statistics.hpp"

namespace assay::offload {
namespace {

constexpr unsigned range_bits = 7;  // 128 ranges for every power of two
constexpr std::uint64_t ranges_of_a_power = 1U << range_bits;
constexpr std::uint64_t longest_ns = std::uint64_t{1} << 42U;  // more than an hour

/// Times below 256 ns have a range each; from there on a range takes the leading eight bits.
std::size_t range_of(std::uint64_t ns) {
  const auto bits = static_cast<unsigned>(std::bit_width(ns));
  const unsigned shift = bits > range_bits + 1 ? bits - range_bits - 1 : 0;
  return static_cast<std::size_t>(shift * ranges_of_a_power + (ns >> shift));
}

/// The longest time in a range.
std::uint64_t end_of(std::size_t range) {
  const std::uint64_t shift = range < 2 * ranges_of_a_power ? 0 : range / ranges_of_a_power - 1;
  return ((range - shift * ranges_of_a_power + 1) << shift) - 1;
}

}  // namespace

LatencyCounts::LatencyCounts() : counts_(range_of(longest_ns) + 1) {}

void LatencyCounts::add(double seconds) {
  const auto ns = static_cast<std::uint64_t>(std::clamp(seconds * 1e9, 0.0, static_cast<double>(longest_ns)));
  ++counts_[range_of(ns)];
  ++operations_;
  max_ns_ = std::max(max_ns_, ns);
}

void LatencyCounts::add(const LatencyCounts& others) {
  for (std::size_t range = 0; range < counts_.size(); ++range) counts_[range] += others.counts_[range];
  operations_ += others.operations_;
  max_ns_ = std::max(max_ns_, others.max_ns_);
}

std::optional<double> LatencyCounts::quantile_s(double q) const {
  if (operations_ < core::samples_needed(q, 0.95)) return std::nullopt;
  auto before = static_cast<std::int64_t>(std::ceil(q * static_cast<double>(operations_)));
  std::size_t range = 0;
  while ((before -= counts_[range]) > 0) ++range;
  return static_cast<double>(std::min(end_of(range), max_ns_)) * 1e-9;
}

}  // namespace assay::offload
