// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay burn-in`: the modules of a plan in rounds, in turn and at once, until the time or the dose is
// reached.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "harness/front/health/finding.hpp"
#include "harness/front/suite/burn_in/burn_in_log.hpp"
#include "harness/front/suite/processes/plan_run.hpp"
#include "results/judge/statistics/dose.hpp"
#include "results/judge/verdict/verdicts.hpp"

namespace assay::suite {

struct BurnInOptions {
  RunOptions run;  // its run id is the burn-in's name
  BurnInEnd end;   // when resuming: empty for as asked before
  double check_every_s = 60;
};

/// Clock, health check and sampler, which a test replaces.
struct BurnInSurroundings {
  std::function<double()> now_s;  // steady; called from several threads
  std::function<std::vector<health::Finding>()> check;
  /// The command that appends readings to this timeline until it is ended, its time being that of the
  /// burn-in from `at_s` on. May be empty.
  std::function<std::vector<std::string>(const std::filesystem::path& timeline, double at_s)> sampler = {};
};

struct BurnInOutcome {
  int exit_code = 0;  // the verdicts', or 4: interrupted
  std::string id;
  std::filesystem::path timeline;
  std::vector<std::filesystem::path> journals;  // of all its rounds
  results::Verdicts verdicts;
  std::vector<results::UnitDose> doses;
  results::DoseTargets targets;
};

/// Throws a usage Error on bad input, before anything runs. `signals` counts interrupts.
BurnInOutcome run_burn_in(const BurnInOptions& options, const BurnInSurroundings& surroundings,
                          const std::atomic<int>& signals, std::ostream& out);

}  // namespace assay::suite
