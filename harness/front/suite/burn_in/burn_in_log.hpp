// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The timeline of a burn-in while it is written: everything that happens goes there first, so that a killed
// burn-in loses nothing that was seen.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/front/suite/burn_in/burn_in_tally.hpp"
#include "results/judge/statistics/dose.hpp"
#include "results/record/timeline.hpp"

namespace assay::suite {

/// When a burn-in is done: the first of time and rounds, and the whole dose; 0 and empty are not asked.
struct BurnInEnd {
  double for_s = 0;
  std::int64_t rounds = 0;
  results::DoseTargets dose = {};
};

/// The part of a round that something belongs to.
struct RoundPlace {
  std::int64_t round = 0;
  std::string kind;    // turn, together
  std::string module;  // "memory", "memory and rdma"; "" for the round
};

class BurnInLog {
 public:
  /// `began_at_s`: how long the burn-in had lasted when it was killed.
  BurnInLog(const std::filesystem::path& timeline, std::function<double()> now_s, double began_at_s);

  /// Time that the burn-in has lasted so far, with its earlier sessions.
  double at_s() const { return began_at_s_ + now_s_() - started_s_; }
  /// Writes an entry. May be called from any thread.
  void note(const std::string& kind, const std::string& unit, results::Scalar value,
            results::Fields more = {}) const;
  void note(const std::string& kind, const std::string& unit, const results::Answer& answer,
            results::Fields more = {}) const;
  /// Fields that say where in the burn-in.
  static results::Fields fields_of(const RoundPlace& place);

 private:
  results::TimelineWriter writer_;
  std::function<double()> now_s_;
  double began_at_s_, started_s_;
};

/// The state of a burn-in that is to continue, as its timeline has it.
struct BurnInSoFar {
  double at_s = 0;
  BurnInEnd end = {};      // as asked at first
  std::int64_t round = 0;  // the last that began
  bool round_ended = true;
  std::int64_t looks = 0;  // at the node's health
  // Modules of that round that need not run again, and what was reported of each module.
  std::vector<std::string> modules_ended = {};
  std::map<std::string, ModuleTally> reported = {};
};
BurnInSoFar so_far(const std::vector<results::TimelineEntry>& timeline);

/// Fields of a session's entry, for so_far().
results::Fields fields_of(const BurnInEnd& end);

}  // namespace assay::suite
