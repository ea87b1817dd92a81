// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How a pass through layers and its exchanges wait for one another, and how long that takes where neither
// slows the other: two resources, each with one thing at a time, in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::collectives {

struct PassPlan {
  int layers = 1;
  /// A backward pass: layers of each bucket, whose gradients are exchanged once all are there. Empty: a
  /// forward pass, whose layers each need an exchange of their own before.
  std::vector<int> bucket_layers = {};
  int depth = 0;  // of a forward pass: exchanges that may run ahead of the layer's own

  bool is_backward() const { return !bucket_layers.empty(); }
  std::size_t exchanges() const {
    return is_backward() ? bucket_layers.size() : static_cast<std::size_t>(layers);
  }
  /// Whether any exchange may run while a layer is computed.
  bool hides() const { return is_backward() ? bucket_layers.size() > 1 : depth > 0 && layers > 1; }
  /// Exchanges that may run once `done` layers are computed.
  std::size_t allowed(int done) const;
};

/// A bucket takes layers until it holds `bucket_bytes`; the last takes what is left.
std::vector<int> buckets_of(int layers, std::int64_t layer_bytes, std::int64_t bucket_bytes);

/// Seconds from the first layer's beginning to the end of all. `exchange_s`: each exchange's own time.
double ideal_s(const PassPlan& plan, double layer_s, std::span<const double> exchange_s);

}  // namespace assay::collectives
