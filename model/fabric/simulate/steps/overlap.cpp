// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/steps/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"

namespace assay::model::fabric {

namespace {

/// With every repeat of a step, or steps alike as one.
double messages_of(std::span<const OperationPlan> plans, GraphGrain grain) {
  double flows = 0;
  for (const OperationPlan& plan : plans)
    for (const StepPlan& step : plan.steps)
      flows += (grain == GraphGrain::alike ? 1 : step.step.repeats) *
               static_cast<double>(step.flows.flows * step.paths);
  return flows;
}

/// Work of GPUs that messages slow.
double compute_flows(const Scenario& scenario, const StreamSection& section) {
  double flows = 0;
  for (const std::size_t at : section.streams) {
    const Stream& stream = scenario.workload().streams[at];
    const Job& job = scenario.workload().jobs[stream.job];
    if (job.processor_usage > 0)
      flows += static_cast<double>(job.ranks.count) *
               static_cast<double>(
                   std::ranges::count(stream.operations, OperationKind::compute, &Operation::kind));
  }
  return flows;
}

}  // namespace

OverlapPlan plan_overlap(const Scenario& scenario, const StreamSection& section,
                         std::span<const OperationPlan> plans, SharingChoice choice, std::size_t most_flows) {
  const std::string& file = scenario.workload().file;
  if (choice == SharingChoice::bound)
    core::usage_error(
        fmt::format("{}: stream: the bound does not hold for streams that overlap: expected "
                    "--sharing auto, max-min or occupancy",
                    file));
  const double compute = compute_flows(scenario, section), most = static_cast<double>(most_flows);
  OverlapPlan how;
  if (messages_of(plans, how.grain) + compute > most) how.grain = GraphGrain::alike;
  const double flows = messages_of(plans, how.grain) + compute;
  if (flows > most)
    core::usage_error(
        fmt::format("{}: stream: {} flows of streams that overlap, with steps alike as one; expected at most "
                    "{}: lower ranks or queue pairs, or let one stream follow the other (after)",
                    file, flows, most_flows));
  const FabricModel& model = scenario.model();
  how.rule = rule_for(
      choice, {.flows = static_cast<std::size_t>(flows), .equal = false, .lossless = model.is_lossless()});
  return how;
}

double run_together(const Scenario& scenario, const StreamSection& section,
                    std::span<const OperationPlan> plans, const OverlapPlan& how, const MessageRouter& router,
                    std::uint32_t at, unsigned threads, Simulation& result, LoadSum& loads) {
  const MessageGraph graph(scenario, router, section, plans, how.grain);
  StepDetail detail = loads.detail();
  PauseLog pauses(detail.with_hosts ? scenario.model().links() : 0);
  const Timeline timeline = graph.run(how.rule, threads, detail.with_hosts ? &pauses : nullptr);
  for (std::size_t number = 0; number < plans.size(); ++number)
    result.operations[section.first_operation + number].time_us[at] =
        graph.time_of_operation_us(number, timeline);
  double end_us = 0;
  for (std::size_t job = 0; job < scenario.workload().jobs.size(); ++job) {
    const double job_end_us = graph.end_of_job_us(job, timeline);
    result.jobs[job].together_us[at] = job_end_us - scenario.workload().jobs[job].start_us;
    end_us = std::max(end_us, job_end_us);
  }
  detail.paused_links = pauses.links();
  detail.settling = pauses.settling();
  fill(detail, scenario.model(), graph.flows(), timeline);
  loads.add(detail, 1);
  return end_us;
}

}  // namespace assay::model::fabric
