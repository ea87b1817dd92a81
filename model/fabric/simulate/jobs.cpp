// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/jobs.hpp"

namespace assay::model::fabric {

namespace {

/// Its ranks keep their numbers among those of all jobs.
WorkloadFile workload_of_job(const WorkloadFile& all, std::size_t job) {
  WorkloadFile alone = all;
  alone.streams.clear();
  std::size_t skipped = 0;  // streams of earlier jobs
  for (const Stream& stream : all.streams) {
    if (stream.job < job) ++skipped;
    if (stream.job != job) continue;
    alone.streams.push_back(stream);
    for (std::size_t& before : alone.streams.back().after) before -= skipped;
  }
  alone.jobs[job].start_us = 0;
  return alone;
}

SharingChoice choice_of(SharingRuleKind rule) {
  return rule == SharingRuleKind::occupancy ? SharingChoice::occupancy : SharingChoice::max_min;
}

}  // namespace

void simulate_jobs_alone(const Scenario& scenario, const SimulationOptions& options, Simulation& result) {
  SimulationOptions alone = options;
  alone.loads = false;
  alone.barriers = false;
  alone.sharing = choice_of(result.rules.front());
  for (std::size_t job = 0; job < result.jobs.size(); ++job) {
    const Scenario only(scenario.model().file(), workload_of_job(scenario.workload(), job),
                        scenario.host_of_rank());
    result.jobs[job].alone_us = simulate(only, alone).time_us;
  }
}

std::vector<double> slowdown_of(const JobTimes& job) {
  std::vector<double> slowdown;
  for (std::size_t seed = 0; seed < job.alone_us.size(); ++seed)
    slowdown.push_back(job.together_us[seed] / job.alone_us[seed]);
  return slowdown;
}

}  // namespace assay::model::fabric
