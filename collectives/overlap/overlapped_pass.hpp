// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A pass through layers at one rank, timed three times: computing alone, exchanges alone, both together.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collectives/overlap/exchange_lane.hpp"
#include "collectives/overlap/pass_plan.hpp"
#include "harness/core/benchmark.hpp"

namespace assay::collectives {

/// What a layer computes.
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

/// Seconds of one iteration.
struct PassTimes {
  double compute_only = 0, communication_only = 0;      // each alone
  double together = 0;                                  // from the first layer to the end of all
  double compute_beside = 0, communication_beside = 0;  // each one's own work meanwhile, without waiting
  double ideal = 0;                                     // ideal_s() of the times alone
};

class OverlappedPass {
 public:
  /// `work` must outlive it; `exchange(i)` runs on another thread.
  OverlappedPass(PassPlan plan, LayerWork& work, std::function<void(std::size_t)> exchange);

  /// `barrier` runs before each of the three.
  PassTimes run(const std::function<void()>& barrier);

 private:
  double run_compute();
  double run_exchanges();
  void run_together(PassTimes& times);

  PassPlan plan_;
  LayerWork& work_;
  ExchangeLane lane_;
};

/// All parts, of the rank that took longest for each.
PassTimes slowest_of(const PassTimes& one, const PassTimes& other);
/// A line each. Throws core::Error (team) on a text of another form.
std::string to_text(const std::vector<PassTimes>& times);
std::vector<PassTimes> pass_times_from(const std::string& text);

std::vector<core::Metric> metrics_of(const std::vector<PassTimes>& times);

}  // namespace assay::collectives
