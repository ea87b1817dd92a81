// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/histogram_trial.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "collectives/measure/steps/step_trial.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/names.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/core/units.hpp"
#include "harness/team/agree.hpp"

namespace assay::collectives {
namespace {

std::vector<double> numbers_in(const std::string& text) {
  std::istringstream words(text);
  std::vector<double> numbers;
  for (double number = 0; words >> number;) numbers.push_back(number);
  return numbers;
}

}  // namespace

HistogramTrial::HistogramTrial(team::Team& team, const Content& content, StepPlan plan, std::string name,
                               std::size_t rounds, ConnectedRanks connected)
    : team_(team),
      content_(content),
      plan_(std::move(plan)),
      name_(std::move(name)),
      rounds_(rounds),
      connected_(std::move(connected)),
      barrier_(barrier_over(*connected_.transport)),
      seconds_(plan_.parts.size()) {
  parts_.reserve(plan_.parts.size());
  for (const StepPart& part : plan_.parts)
    parts_.emplace_back(made_part(part, content_, *connected_.transport), content_, connected_.post->ring());
}

core::Timing HistogramTrial::enqueue(std::int64_t iterations) {
  core::Timing timing;
  for (std::int64_t i = 0; i < iterations; ++i) {
    double sum_s = 0;
    for (std::size_t part = 0; part < rounds_; ++part) {
      run_barrier(barrier_, connected_.post->ring());
      if (part >= parts_.size()) continue;
      const double begin_s = core::steady_seconds();
      parts_[part].run(1, Between::nothing);
      seconds_[part].push_back(core::steady_seconds() - begin_s);
      sum_s += seconds_[part].back();
    }
    timing.each_s.push_back(sum_s);
    timing.seconds += sum_s;
  }
  return timing;
}

void HistogramTrial::sampling_begins() {
  for (std::vector<double>& one : seconds_) one.clear();
  for (GroupPart& part : parts_) part.sampling_begins({});
}

core::Verification HistogramTrial::check() { return verified(parts_); }

/// One entry a part: its median time at the rank that takes longest.
std::vector<double> HistogramTrial::slowest_s() const {
  std::vector<double> own;
  for (const std::vector<double>& one : seconds_)
    own.push_back(one.empty() ? 0 : core::quantile_of(one, 0.5));
  std::vector<double> slowest(own.size(), 0);
  for (const std::string& text :
       team_.gather_at_leader(fmt::format("{}", fmt::join(own, " ")), team::reply_limit_s)) {
    const std::vector<double> rank = numbers_in(text);
    for (std::size_t part = 0; part < std::min(rank.size(), slowest.size()); ++part)
      slowest[part] = std::max(slowest[part], rank[part]);
  }
  return slowest;
}

std::vector<core::Metric> HistogramTrial::metrics(const core::Measurement&) {
  const std::vector<double> slowest = slowest_s();
  if (team_.rank() != 0) return {};
  double weighted_s = 0, bytes = 0;
  by_size_.clear();
  for (std::size_t at = 0; at < plan_.parts.size(); ++at) {
    const StepPart& part = plan_.parts[at];
    const double own_bytes = bus_bytes(part.problem, content_.type);
    weighted_s += part.times * slowest[at];
    bytes += part.times * own_bytes;
    if (slowest[at] > 0)
      by_size_.push_back(fmt::format(
          "{} {}: {:.3g} GB/s, {:.0f} times", to_text(part.problem.operation),
          core::format_bytes(static_cast<std::int64_t>(counted_bytes(part.problem, bytes_of(content_.type)))),
          core::gb_per_s(own_bytes, slowest[at]), part.times));
  }
  std::vector<core::Metric> metrics{{"communication_us", "us", 1e6 * weighted_s}};
  if (weighted_s > 0)
    metrics.push_back({core::names::busbw_gb_per_s, "GB/s", core::gb_per_s(bytes, weighted_s)});
  return metrics;
}

std::vector<core::Fact> HistogramTrial::facts() {
  std::vector<core::Fact> facts{{"transport", connected_.transport_name}};
  if (team_.rank() != 0) return facts;
  facts.emplace_back("workload_name", name_);
  facts.emplace_back(core::names::ranks, static_cast<std::int64_t>(team_.size()));
  facts.emplace_back("cache", "hot");
  facts.emplace_back("time_counts", "every size of the histogram once, at this rank");
  facts.emplace_back("busbw_counts",
                     "bus bytes of all collectives of a step over their times, each size timed by itself at "
                     "its slowest rank and weighted by how often a step has it");
  facts.emplace_back("sizes", sizes_text(plan_, content_.type));
  facts.emplace_back("busbw_by_size", fmt::format("{}", fmt::join(by_size_, "; ")));
  return facts;
}

}  // namespace assay::collectives
