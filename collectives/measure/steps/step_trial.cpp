// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/steps/step_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "harness/core/measure/measure.hpp"
#include "harness/core/names.hpp"
#include "harness/core/process/rest_until.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/core/units.hpp"
#include "harness/team/agree.hpp"

namespace assay::collectives {
namespace {

struct RankTimes {
  double whole_s = 0, communication_s = 0, bus_bytes = 0;
};

RankTimes rank_times_from(const std::string& text) {
  RankTimes times;
  const char* at = text.c_str();
  for (double* const value : {&times.whole_s, &times.communication_s, &times.bus_bytes}) {
    char* end = nullptr;
    *value = std::strtod(at, &end);
    at = end;
  }
  return times;
}

}  // namespace

core::Verification verified(std::vector<GroupPart>& parts) {
  using Result = core::Verification::Result;
  if (parts.empty()) return {Result::not_checked, "this rank exchanges nothing"};
  for (GroupPart& part : parts)
    if (core::Verification one = part.verify(); one.result != Result::right) return one;
  return {Result::right, "every element that the last of each of its collectives left, bit by bit"};
}

StepTrial::StepTrial(team::Team& team, StepSetup setup)
    : team_(team), setup_(std::move(setup)), barrier_(barrier_over(*setup_.connected.transport)) {
  parts_.reserve(setup_.parts.size());
  for (GroupPart::Made& made : setup_.parts)
    parts_.emplace_back(std::move(made), setup_.content, setup_.connected.post->ring());
}

core::Timing StepTrial::enqueue(std::int64_t iterations) {
  core::Timing timing;
  for (std::int64_t i = 0; i < iterations; ++i) {
    run_barrier(barrier_, setup_.connected.post->ring());
    times_.push_back(run_step());
    timing.each_s.push_back(times_.back().whole_s);
    timing.seconds += times_.back().whole_s;
  }
  return timing;
}

StepTimes StepTrial::run_step() {
  const double begin = core::steady_seconds();
  std::vector<double> reached_s(setup_.plan.after.size(), 0);  // by each stream; 0: not begun
  double last_s = begin;
  StepTimes times;
  for (const StepAction& action : setup_.plan.actions) {
    double& now_s = reached_s[action.stream];
    if (now_s == 0) {
      now_s = begin;
      for (const std::size_t before : setup_.plan.after[action.stream])
        now_s = std::max(now_s, reached_s[before]);
    }
    now_s += action.compute_s;
    if (action.part >= 0) {
      core::rest_until(now_s);
      const double entered_s = core::steady_seconds();
      parts_[static_cast<std::size_t>(action.part)].run(1, Between::nothing);
      now_s = core::steady_seconds();
      times.communication_s += now_s - entered_s;
    }
    last_s = std::max(last_s, now_s);
  }
  core::rest_until(last_s);
  times.whole_s = core::steady_seconds() - begin;
  return times;
}

void StepTrial::sampling_begins() {
  times_.clear();
  for (GroupPart& part : parts_) part.sampling_begins({});
}

core::Verification StepTrial::check() { return verified(parts_); }

std::vector<core::Metric> StepTrial::metrics(const core::Measurement&) {
  std::vector<double> whole, communication;
  for (const StepTimes& one : times_) {
    whole.push_back(one.whole_s);
    communication.push_back(one.communication_s);
  }
  double bytes = 0;
  for (const StepPart& part : setup_.plan.parts)
    bytes += part.times * bus_bytes(part.problem, setup_.content.type);
  const double median_s = whole.empty() ? 0 : core::quantile_of(whole, 0.5),
               exchanged_s = whole.empty() ? 0 : core::quantile_of(communication, 0.5);
  RankTimes slowest;
  const std::string own = fmt::format("{} {} {}", median_s, exchanged_s, bytes);
  for (const std::string& text : team_.gather_at_leader(own, team::reply_limit_s)) {
    const RankTimes one = rank_times_from(text);
    slowest.whole_s = std::max(slowest.whole_s, one.whole_s);
    if (one.communication_s < slowest.communication_s) continue;
    slowest.communication_s = one.communication_s;
    slowest.bus_bytes = one.bus_bytes;
  }
  if (team_.rank() != 0) return {};
  std::vector<core::Metric> metrics{
      {"compute_us", "us", 1e6 * setup_.plan.compute_path_s},
      {"communication_us", "us", 1e6 * slowest.communication_s},
      {"exposed_us", "us", 1e6 * std::max(0.0, slowest.whole_s - setup_.plan.compute_path_s)}};
  if (slowest.communication_s > 0)
    metrics.push_back(
        {core::names::busbw_gb_per_s, "GB/s", core::gb_per_s(slowest.bus_bytes, slowest.communication_s)});
  return metrics;
}

std::vector<core::Fact> StepTrial::facts() {
  std::vector<core::Fact> facts{{"transport", setup_.connected.transport_name}};
  facts.insert(facts.end(), setup_.conditions.begin(), setup_.conditions.end());
  if (team_.rank() != 0) return facts;
  facts.emplace_back("workload_name", setup_.name);
  facts.emplace_back(core::names::ranks, static_cast<std::int64_t>(team_.size()));
  facts.emplace_back("cache", "hot");
  facts.emplace_back("time_counts", setup_.time_counts);
  facts.emplace_back("compute", "a timer of the stated length, which takes no core");
  facts.emplace_back("busbw_counts",
                     "bus bytes of all collectives of a step over the time within them: weighted by size");
  facts.emplace_back("sizes", sizes_text(setup_.plan, setup_.content.type));
  if (setup_.plan.has_pipeline)
    facts.emplace_back("pipeline", "run as a shift: the last stage sends to the first");
  return facts;
}

}  // namespace assay::collectives
