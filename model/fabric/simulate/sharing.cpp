// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/sharing.hpp"

namespace assay::model::fabric {

SharingRuleKind rule_for(SharingChoice choice, const StepFlows& flows) {
  switch (choice) {
    case SharingChoice::bound:
      return SharingRuleKind::bound;
    case SharingChoice::max_min:
      return SharingRuleKind::max_min;
    case SharingChoice::occupancy:
      return SharingRuleKind::occupancy;
    case SharingChoice::automatic:
      break;
  }
  if (flows.lossless && flows.flows <= most_occupancy_flows) return SharingRuleKind::occupancy;
  return flows.equal ? SharingRuleKind::bound : SharingRuleKind::max_min;
}

std::string_view known_error(SharingRuleKind rule, bool sprays) {
  if (sprays) return "sprayed permutations: makespan within 10 % of packet simulations";
  switch (rule) {
    case SharingRuleKind::bound:
      return "the end of max-min sharing, exact for equal flows; against packet simulations of lossless "
             "fabrics, makespan 0 to 17 % short in permutations";
    case SharingRuleKind::max_min:
      return "against packet simulations of lossless fabrics: flow times off by 22 to 34 % in incast and "
             "victims, 3 to 23 % in permutations, makespan 0 to 17 % short";
    case SharingRuleKind::occupancy:
      return "against packet simulations of lossless fabrics: flow times off by 0.3 to 2.4 % in incast, "
             "victims and windows, 3 to 12 % in permutations, makespan -5 to +13 %";
  }
  return "";
}

}  // namespace assay::model::fabric
