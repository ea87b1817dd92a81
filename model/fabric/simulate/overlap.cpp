// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "model/fabric/simulate/message_graph.hpp"

namespace assay::model::fabric {

namespace {

std::size_t flows_together(const Scenario& scenario, const StreamSection& section,
                           std::span<const OperationPlan> plans) {
  double flows = 0;
  for (const OperationPlan& plan : plans)
    for (const StepPlan& step : plan.steps)
      flows += step.step.repeats * static_cast<double>(step.flows.flows * step.paths);
  for (const std::size_t at : section.streams) {
    const Stream& stream = scenario.workload().streams[at];
    const Job& job = scenario.workload().jobs[stream.job];
    if (job.processor_usage > 0)
      flows += static_cast<double>(job.ranks.count) *
               static_cast<double>(
                   std::ranges::count(stream.operations, OperationKind::compute, &Operation::kind));
  }
  if (flows > most_graph_flows)
    core::usage_error(fmt::format(
        "{}: stream: {} flows of streams that overlap, expected at most {}: lower ranks, times or queue "
        "pairs, or let one stream follow the other (after)",
        scenario.workload().file, flows, most_graph_flows));
  return static_cast<std::size_t>(flows);
}

}  // namespace

SharingRuleKind rule_of_section(const Scenario& scenario, const StreamSection& section,
                                std::span<const OperationPlan> plans, SharingChoice choice) {
  const std::size_t flows = flows_together(scenario, section, plans);
  if (choice == SharingChoice::bound)
    core::usage_error(
        fmt::format("{}: stream: the bound does not hold for streams that overlap: expected "
                    "--sharing auto, max-min or occupancy",
                    scenario.workload().file));
  const FabricModel& model = scenario.model();
  return rule_for(
      choice, {.flows = flows, .equal = false, .lossless = !model.file().rate_control && !model.sprays()});
}

double run_together(const Scenario& scenario, const StreamSection& section,
                    std::span<const OperationPlan> plans, SharingRuleKind rule, const MessageRouter& router,
                    std::uint32_t at, unsigned threads, Simulation& result, LoadSum& loads) {
  const MessageGraph graph(scenario, router, section, plans);
  StepDetail detail = loads.detail();
  PauseLog pauses(detail.with_hosts ? scenario.model().links() : 0);
  const Timeline timeline = graph.run(rule, threads, detail.with_hosts ? &pauses : nullptr);
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
