// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cost of DCQCN to a step: its flows start at line rate together, and their rates fall too far before
// they settle. Steps alike use the same queue pairs and settle once.
#pragma once

#include <optional>
#include <span>

#include "model/fabric/simulate/steps/step_plan.hpp"

namespace assay::model::fabric {

/// The link between switches or to a host that needs the longest.
struct CongestedLink {
  LinkId link = 0;
  int flows = 1;     // of the step's largest size, as many as its bytes make
  DcqcnStart start;  // of all steps alike; nothing of one flow, which marks no packets
};

/// As DCQCN runs on it: with a round trip of the step's longest path.
DcqcnSettings dcqcn_of(const FabricModel& model, const StepPlan& step, const CongestedLink& congested);

/// Nothing without rate control, or where no link of the topology carries anything.
std::optional<CongestedLink> congested_link(const FabricModel& model, const StepPlan& step,
                                            std::span<const double> bytes_of_links);

}  // namespace assay::model::fabric
