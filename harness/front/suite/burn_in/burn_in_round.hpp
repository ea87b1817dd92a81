// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One round of a burn-in: its modules in turn, or two of them at once, each watched, tallied and checked.
#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "harness/front/suite/burn_in/burn_in_health.hpp"
#include "harness/front/suite/burn_in/burn_in_log.hpp"
#include "harness/front/suite/burn_in/burn_in_tally.hpp"
#include "harness/front/suite/processes/module_run.hpp"

namespace assay::suite {

struct PlannedModule {
  ModuleProgram module;
  ModuleShare share;  // of a fresh journal
};

/// One after the other in each lane, the lanes at once. A turn has one lane. Together: the modules that load
/// the fabric together with those that load the node; where the plan has one kind only, every other module.
std::vector<std::vector<PlannedModule>> lanes_of(const std::vector<PlannedModule>& modules, bool together);

class BurnInRound {
 public:
  struct Order {
    ModuleRequest every_module;    // plan, flags, launcher, slack
    std::string id;                // of the burn-in
    std::filesystem::path folder;  // of the burn-in
    double for_s = 0;              // 0: as long as it takes
  };
  BurnInRound(Order order, const BurnInLog& log, BurnInHealth& health, const std::atomic<int>& signals)
      : order_(std::move(order)), log_(log), health_(health), signals_(signals) {}

  /// `so_far`: of a round that continues. Returns false where it was interrupted, or cut short by the end of
  /// time.
  bool run(std::int64_t number, const std::vector<PlannedModule>& modules, bool together,
           const BurnInSoFar& so_far);

  /// Reports what a killed session's modules had written and no session reported, so that no failure is lost
  /// where the round does not continue.
  void report_unheard(const std::vector<PlannedModule>& modules, bool together, const BurnInSoFar& so_far);

  bool over() const { return signals_ > 0 || (order_.for_s > 0 && log_.at_s() >= order_.for_s); }

 private:
  void run_lanes(const std::vector<std::vector<PlannedModule>>& lanes, const BurnInSoFar& so_far);
  void run_lane(const std::vector<PlannedModule>& lane, const BurnInSoFar& so_far);
  void run_module(const PlannedModule& planned, const BurnInSoFar& so_far);
  ModuleRequest request_for(const ModuleProgram& module);
  results::Answer measure(const ModuleRequest& request, ModuleShare share);
  void note_tally(const ModuleRequest& request, const results::Answer& how, const ModuleTally& tally) const;
  void write_findings(const ModuleRequest& request);
  RoundPlace place() const;

  Order order_;
  const BurnInLog& log_;
  BurnInHealth& health_;
  const std::atomic<int>& signals_;
  std::int64_t number_ = 0;
  bool together_ = false;
  mutable std::mutex running_guard_;
  std::set<std::string> running_;
};

}  // namespace assay::suite
