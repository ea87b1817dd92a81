// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The same pass again and again, so that one is always queued while another runs: what runs all along beside
// a pass that is timed.
#pragma once

#include <deque>
#include <functional>
#include <utility>

#include "offload/pipeline/device_pass.hpp"

namespace assay::offload {

class RepeatedPasses {
 public:
  using Make = std::function<DevicePass()>;

  explicit RepeatedPasses(Make make) : make_(std::move(make)) { passes_.emplace_back(make_()); }

  /// Call it often. Throws core::Error.
  void advance() {
    if (passes_.front().over()) passes_.pop_front();
    if (passes_.empty() || (passes_.size() < 2 && passes_.back().all_queued())) passes_.emplace_back(make_());
    passes_.back().advance();
  }
  /// Of all passes so far.
  bool all_queued() const { return passes_.back().all_queued(); }

 private:
  Make make_;
  std::deque<DevicePass> passes_;
};

}  // namespace assay::offload
