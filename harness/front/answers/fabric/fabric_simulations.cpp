// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fabric/fabric_simulations.hpp"

namespace assay::answers {

namespace fabric = model::fabric;

fabric::SeeSimulation FabricSimulations::see() {
  if (!journal_) return {};
  return [this](const fabric::Scenario& scenario, const fabric::Simulation& simulation,
                const std::vector<fabric::KeyValue>& replaced) {
    journal_->write(fabric::simulation_records({scenario, simulation, options_, replaced}));
  };
}

void FabricSimulations::see_placement(const fabric::Simulated& before, const fabric::Simulated& after,
                                      const std::vector<fabric::TierCut>& cuts) {
  if (journal_) journal_->write(fabric::placement_records(before, after, cuts));
}

void FabricSimulations::finish() {
  if (journal_) journal_->end();
}

}  // namespace assay::answers
