// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the case lists share: who measures, and the checks that every case makes of a point. Private to the
// module's case lists.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/machine/machine.hpp"
#include "harness/team/team.hpp"
#include "rdma/traffic/flow.hpp"
#include "rdma/trials/stream_trial.hpp"

namespace assay::rdma {

struct CaseMaker {
  const machine::Machine& machine;
  int ranks = 2;
  team::Team* team = nullptr;  // none: the cases are only declared

  /// A case whose prepare makes a trial at this rank.
  core::Case make(
      const std::string& name, const std::string& measures, core::Headline headline,
      std::vector<core::Axis> axes,
      std::function<std::unique_ptr<core::Trial>(const CaseMaker&, const core::Point&)> prepare) const;

  /// A case of streams over the rounds that `schedule` makes of a point.
  core::Case stream(
      const std::string& name, const std::string& measures, std::vector<core::Axis> axes,
      const std::function<Schedule(int ranks, const core::Point&, const Settings&)>& schedule) const;
};

/// Between two ranks, over all pairs of ranks: the two lists of this module.
std::vector<core::Case> pair_cases(const CaseMaker& maker);
std::vector<core::Case> pattern_cases(const CaseMaker& maker);

Flow flow_between(int from, int to, const Settings& settings);

}  // namespace assay::rdma
