// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/pass_plan.hpp"

#include <algorithm>

namespace assay::collectives {
namespace {

double ideal_backward_s(const PassPlan& plan, double layer_s, std::span<const double> exchange_s) {
  double ready_s = 0, exchanged_s = 0;
  for (std::size_t bucket = 0; bucket < exchange_s.size(); ++bucket) {
    ready_s += layer_s * plan.bucket_layers[bucket];
    exchanged_s = std::max(exchanged_s, ready_s) + exchange_s[bucket];
  }
  return std::max(ready_s, exchanged_s);
}

double ideal_forward_s(const PassPlan& plan, double layer_s, std::span<const double> exchange_s) {
  std::vector<double> computed_s{0};  // [k]: k layers
  double exchanged_s = 0;
  for (std::size_t layer = 0; layer < exchange_s.size(); ++layer) {
    const std::size_t before = layer - std::min(layer, static_cast<std::size_t>(plan.depth));
    exchanged_s = std::max(exchanged_s, computed_s[before]) + exchange_s[layer];
    computed_s.push_back(std::max(computed_s.back(), exchanged_s) + layer_s);
  }
  return computed_s.back();
}

}  // namespace

std::size_t PassPlan::allowed(int done) const {
  if (!is_backward()) return std::min(exchanges(), static_cast<std::size_t>(done + 1 + depth));
  std::size_t full = 0;
  for (int held = 0; full < bucket_layers.size(); ++full) {
    held += bucket_layers[full];
    if (held > done) break;
  }
  return full;
}

std::vector<int> buckets_of(int layers, std::int64_t layer_bytes, std::int64_t bucket_bytes) {
  const std::int64_t most =
      std::clamp<std::int64_t>((bucket_bytes + layer_bytes - 1) / layer_bytes, 1, layers);
  std::vector<int> buckets;
  for (int left = layers; left > 0; left -= buckets.back())
    buckets.push_back(std::min(left, static_cast<int>(most)));
  return buckets;
}

double ideal_s(const PassPlan& plan, double layer_s, std::span<const double> exchange_s) {
  return plan.is_backward() ? ideal_backward_s(plan, layer_s, exchange_s)
                            : ideal_forward_s(plan, layer_s, exchange_s);
}

}  // namespace assay::collectives
