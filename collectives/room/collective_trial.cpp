// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/room/collective_trial.hpp"

#include <utility>

#include "collectives/algorithms/bruck.hpp"
#include "collectives/room/bandwidth.hpp"
#include "harness/core/measure.hpp"
#include "harness/core/units.hpp"
#include "harness/team/agree.hpp"

namespace assay::collectives {
namespace {

constexpr std::size_t most_entries = 2000;  // kept of each rank for the skew

Executor barrier_over(Transport& transport) {
  const Problem barrier{.operation = Operation::barrier, .ranks = transport.size()};
  return Executor(dissemination_barrier(barrier, transport.rank()), DataType::int32, Operator::sum,
                  transport);
}

}  // namespace

CollectiveTrial::CollectiveTrial(team::Team& team, Problem problem, const Content& content, Parts parts)
    : team_(team),
      problem_(std::move(problem)),
      content_(content),
      parts_(std::move(parts)),
      barrier_(barrier_over(*parts_.transport)),
      operands_(problem_, content, team.rank()) {}

core::Timing CollectiveTrial::run(std::int64_t iterations) {
  core::Timing timing;
  timing.each_s.reserve(static_cast<std::size_t>(iterations));
  barrier_.run({}, {});
  const double began = monotonic_s();
  double last = began;
  for (std::int64_t i = 0; i < iterations; ++i) {
    run_once();
    const double now = monotonic_s();
    timing.each_s.push_back(now - last);
    last = now;
  }
  timing.seconds = last - began;
  note(began, timing.each_s);
  return timing;
}

void CollectiveTrial::note(double began_s, const std::vector<double>& each_s) {
  double entry = began_s - offset_.seconds;
  for (const double one : each_s) {
    if (own_.entries_s.size() < most_entries) own_.entries_s.push_back(entry);
    entry += one;
    own_.seconds += one;
  }
  own_.iterations += static_cast<std::int64_t>(each_s.size());
}

void CollectiveTrial::sampling_begins() {
  if (operands_.keep_their_input()) operands_.refill();  // what is checked was written while sampling
  offset_ = offset_from_rank_0(*parts_.transport);
  own_ = {.clock_uncertainty_s = offset_.uncertainty_s};
}

core::Verification CollectiveTrial::verify() {
  using Result = core::Verification::Result;
  const bool timed = operands_.keep_their_input();
  if (!timed) {
    operands_.refill();
    run_once();
  }
  if (problem_.operation == Operation::barrier) return {Result::not_checked, "a barrier moves no data"};
  if (const auto wrong = operands_.first_wrong()) return {Result::wrong, *wrong};
  return {Result::right, timed ? "every element that the last timed iteration left, bit by bit"
                               : "every element of one more iteration, bit by bit: in place the timed ones "
                                 "ran on their own results"};
}

std::vector<core::Metric> CollectiveTrial::metrics(const core::Measurement& measurement) {
  if (const auto tiers = parts_.runner->tiers()) {
    own_.bytes_inside = tiers->inside;
    own_.bytes_across = tiers->across;
  }
  by_rank_.clear();
  for (const std::string& text : team_.gather(to_text(own_), team::reply_limit_s))
    by_rank_.push_back(rank_figures_from(text));
  std::vector<core::Metric> metrics;
  if (team_.rank() == 0) add_bandwidths(metrics, measurement);
  add_tiers(metrics);
  for (core::Metric& metric : metrics_of(by_rank_)) metrics.push_back(std::move(metric));
  return metrics;
}

void CollectiveTrial::add_bandwidths(std::vector<core::Metric>& metrics,
                                     const core::Measurement& measurement) const {
  const double bytes = counted_bytes(problem_, bytes_of(content_.type));
  const core::QuantileInterval& time = measurement.interval;
  if (bytes <= 0 || time.lower <= 0) return;
  const auto add = [&](const char* name, double factor) {
    metrics.push_back({name, "GB/s", factor * core::gb_per_s(bytes, time.estimate),
                       factor * core::gb_per_s(bytes, time.upper),
                       factor * core::gb_per_s(bytes, time.lower)});
  };
  add("algbw_gb_per_s", 1);
  if (const auto factor = busbw_factor(problem_.operation, problem_.ranks)) add("busbw_gb_per_s", *factor);
}

void CollectiveTrial::add_tiers(std::vector<core::Metric>& metrics) const {
  if (!parts_.runner->tiers()) return;
  double inside = 0, across = 0;
  for (const RankFigures& one : by_rank_) {
    inside += static_cast<double>(one.bytes_inside);
    across += static_cast<double>(one.bytes_across);
  }
  metrics.push_back({"wire_bytes_inside_nodes", "B", inside});
  metrics.push_back({"wire_bytes_across_nodes", "B", across});
}

std::vector<core::Fact> CollectiveTrial::facts() {
  std::vector<core::Fact> facts{{"transport", parts_.transport_name}};
  for (core::Fact& fact : parts_.runner->facts()) facts.push_back(std::move(fact));
  if (team_.rank() != 0) return facts;
  facts.emplace_back("ranks", static_cast<std::int64_t>(problem_.ranks));
  facts.emplace_back("elements", problem_.count);
  facts.emplace_back("cache", "hot");
  facts.emplace_back("time_counts",
                     "per iteration the slowest rank; iterations back to back after a barrier");
  for (core::Fact& fact : latest_of(by_rank_)) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace assay::collectives
