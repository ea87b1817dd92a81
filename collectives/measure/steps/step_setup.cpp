// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/steps/step_setup.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "collectives/algorithms/table.hpp"
#include "collectives/transport/group_transport.hpp"

namespace assay::collectives {
namespace {

/// The first of the table that may: a ring where there is one.
const Algorithm& first_algorithm(const Problem& problem) {
  const auto found = std::ranges::find_if(algorithms(), [&](const Algorithm& one) {
    return one.operation == problem.operation && one.illegal(problem).empty();
  });
  return *found;
}

StepSetup planned(const WantedStep& wanted, ConnectedRanks connected, StepBlocks blocks) {
  const int rank = connected.transport->rank();
  return {.name = wanted.step.name,
          .plan = step_plan(wanted.step, rank, wanted.node_of, wanted.content.type, blocks),
          .content = wanted.content,
          .connected = std::move(connected)};
}

}  // namespace

GroupPart::Made made_part(const StepPart& part, const Content& content, Transport& all_ranks) {
  GroupPart::Made made{.group = 0,
                       .problem = part.problem,
                       .transport = std::make_unique<GroupTransport>(all_ranks, part.members),
                       .runner = nullptr};
  made.runner = make_assay_runner(first_algorithm(part.problem), part.problem, content, *made.transport);
  return made;
}

StepSetup host_step(const WantedStep& wanted, ConnectedRanks connected) {
  StepSetup setup = planned(wanted, std::move(connected), StepBlocks::as_stated);
  for (const StepPart& part : setup.plan.parts)
    setup.parts.push_back(made_part(part, wanted.content, *setup.connected.transport));
  setup.time_counts = "a step at the slowest rank, after a barrier";
  return setup;
}

StepSetup nccl_step(const WantedStep& wanted, ConnectedRanks connected, NcclWorld& world) {
  StepSetup setup = planned(wanted, std::move(connected), StepBlocks::equal);
  setup.connected.transport_name = "nccl";
  setup.conditions = world.facts();
  for (StepPart& part :
       parts_of_all_ranks(wanted.step, wanted.node_of, wanted.content.type, StepBlocks::equal)) {
    std::unique_ptr<Runner> runner = world.make_runner(part.members, part.problem, wanted.content);
    if (!runner) continue;
    setup.parts.push_back(
        {.group = 0,
         .problem = std::move(part.problem),
         .transport = std::make_unique<GroupTransport>(*setup.connected.transport, part.members),
         .runner = std::move(runner)});
  }
  setup.time_counts = "a step at the slowest rank, after a barrier; the host waits for each collective";
  return setup;
}

}  // namespace assay::collectives
