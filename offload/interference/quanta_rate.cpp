// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/quanta_rate.hpp"

#include <algorithm>

namespace assay::offload {
namespace {

/// Quanta done by then.
double done(const std::vector<double>& ends_s, double now_s) {
  const auto next = std::ranges::upper_bound(ends_s, now_s);
  const auto whole = static_cast<double>(next - ends_s.begin());
  if (next == ends_s.end()) return whole;
  const double began_s = next == ends_s.begin() ? 0 : *(next - 1);
  return whole + std::max(0.0, now_s - began_s) / (*next - began_s);
}

}  // namespace

double quanta_per_s(const std::vector<double>& ends_s, double begin_s, double end_s) {
  if (end_s <= begin_s) return 0;
  return (done(ends_s, end_s) - done(ends_s, begin_s)) / (end_s - begin_s);
}

}  // namespace assay::offload
