// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/contest_trial.hpp"

#include <string>

#include "harness/core/statistics.hpp"
#include "harness/workload/host_library.hpp"

namespace assay::offload {
namespace {

template <class Figure>
core::Metric median(const std::vector<ContestTimes>& times, const char* name, const char* unit,
                    const Figure& figure) {
  std::vector<double> values;
  for (const ContestTimes& one : times) values.push_back(figure(one));
  const core::QuantileInterval interval = core::quantile_interval(values, 0.5, 0.95);
  return {name, unit, interval.estimate, interval.lower, interval.upper};
}

}  // namespace

std::vector<core::Metric> contest_metrics(const std::vector<ContestTimes>& times) {
  if (times.empty()) return {};
  return {
      median(times, "alone_us", "us", [](const auto& one) { return 1e6 * one.alone_s; }),
      median(times, "beside_spin_us", "us", [](const auto& one) { return 1e6 * one.beside_spin_s; }),
      median(times, "slowdown", "", [](const auto& one) { return one.beside_s / one.alone_s; }),
      median(times, "slowdown_of_spinning", "",
             [](const auto& one) { return one.beside_spin_s / one.alone_s; }),
      median(times, "slowdown_beyond_spinning", "",
             [](const auto& one) { return one.beside_s / one.beside_spin_s; }),
      median(times, "aggressor_gb_per_s", "GB/s", [](const auto& one) { return one.aggressor_gb_per_s; })};
}

core::Timing ContestTrial::run(std::int64_t iterations) {
  core::Timing timing;
  for (std::int64_t i = 0; i < iterations; ++i) {
    times_.push_back(contest_.run());
    timing.each_s.push_back(times_.back().beside_s);
    timing.seconds += times_.back().beside_s;
  }
  return timing;
}

void ContestTrial::sampling_begins() {
  times_.clear();
  counters_.begin();
}

std::vector<core::Metric> ContestTrial::metrics(const core::Measurement&) { return contest_metrics(times_); }

std::vector<core::Fact> ContestTrial::facts() {
  std::vector<core::Fact> facts = counters_.facts();
  std::string cpus;
  for (const int cpu : contest_.cpus()) cpus += (cpus.empty() ? "" : ",") + std::to_string(cpu);
  facts.emplace_back("cpus", cpus);
  facts.emplace_back("quanta_of_a_time", std::int64_t{contest_.quanta()});
  if (settings_.victim == LoadKind::gemm || settings_.aggressor == LoadKind::gemm)
    facts.emplace_back("library", workload::host_library(settings_.loads.dtype).version());
  return facts;
}

}  // namespace assay::offload
