// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/trials/dose_trial.hpp"

namespace assay::rdma {

DoseTrial::DoseTrial(const machine::Machine& machine, team::Team& team, const Settings& settings,
                     double bound)
    : StreamTrial(machine, team, settings, both_ways(settings)), bound_(bound) {}

std::vector<core::Fact> DoseTrial::facts() {
  std::vector<core::Fact> facts = StreamTrial::facts();
  const auto dose = watch().dose(results());
  if (!dose) {
    facts.emplace_back("error_dose", "nothing is proven: the counters were not clean, or could not be read");
    return facts;
  }
  facts.emplace_back("error_dose", describe(*dose));
  facts.emplace_back("error_dose_progress", describe_progress(*dose, bound_));
  return facts;
}

}  // namespace assay::rdma
