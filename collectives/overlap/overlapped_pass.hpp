// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A pass through layers on two threads of a host, timed three times: computing alone, exchanges alone, both
// together.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collectives/overlap/exchange_lane.hpp"
#include "collectives/overlap/pass_plan.hpp"
#include "collectives/overlap/pass_times.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

/// The computation of a layer.
class LayerWork {
 public:
  LayerWork() = default;
  LayerWork(const LayerWork&) = delete;
  LayerWork& operator=(const LayerWork&) = delete;
  virtual ~LayerWork() = default;
  virtual void layer() = 0;
  /// Why results are not what they were when nothing else ran; nothing where they are.
  virtual std::optional<std::string> wrong() const = 0;
  virtual std::vector<core::Fact> facts() const = 0;
};

class OverlappedPass {
 public:
  /// `work` must outlive it; `exchange(i)` runs on another thread.
  OverlappedPass(PassPlan plan, LayerWork& work, std::function<void(std::size_t)> exchange);

  /// `barrier` runs before each of the three.
  PassTimes run(const std::function<void()>& barrier);

 private:
  double run_compute();
  std::vector<double> run_exchanges();
  void run_together(PassTimes& times);

  PassPlan plan_;
  LayerWork& work_;
  ExchangeLane lane_;
};

}  // namespace assay::collectives
