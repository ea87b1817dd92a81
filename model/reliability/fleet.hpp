// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rates and repeat offenders of a fleet, from what was recorded of its parts over time: by serial number, so
// that a part which moves to another node keeps its history.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/reliability/early_life_fit.hpp"
#include "model/reliability/rates_file.hpp"

namespace assay::model::reliability {

/// A node, or a part within a node, for so long under watch.
struct PartStay {
  std::string kind;    // node, gpu, nic
  std::string serial;  // a node's name; "": not reported: no offender then
  std::string node;
  double watched_days = 0;
};

struct PartFailure {
  std::string kind, serial;  // "" and "": of the node
  std::string node;
  std::string component;   // one of components()
  std::string since = {};  // UTC
  bool counted = true;     // false: it failed when watching began, so that no rate follows from it
};

/// From a node's first look to its last: its age, where it was new then.
struct NodeWatch {
  std::string node, since, until;  // UTC
};

struct FleetHistory {
  std::string source;                  // "3 logbooks", for people
  std::map<std::string, double> seen;  // node-days in which failures of a component would have been seen
  std::int64_t gpus_per_node = 8;
  std::vector<PartStay> stays = {};
  std::vector<PartFailure> failures = {};
  std::vector<NodeWatch> watches = {};          // where ages are known
  std::optional<EarlyLifeFit> early_life = {};  // of them, see fit_ages()
  std::vector<std::string> notes = {};          // what was left out, one line each

  std::int64_t nodes() const;
  double node_days() const;  // under watch
};

/// Fits early life to the ages at which the nodes of `watches` failed, those at their first look left out.
void fit_ages(FleetHistory& fleet);

/// When a part is to go.
struct OffenderRule {
  std::int64_t failures = 3;  // of one part
  double within_days = 90;
  double by_chance = 0.01;  // of any sound part of its kind being named a repeat offender
};

/// A part, or a node with all that failed in it, that failed once or more.
struct PartRecord {
  std::string kind, serial;        // "node" and its name; gpu, nic
  std::vector<std::string> nodes;  // in which it was seen
  std::vector<std::string> components;
  std::int64_t failures = 0;  // counted or not
  double watched_days = 0;
  /// The probability that a part with its share of the time that its kind was watched has so many of the
  /// kind's failures or more: the tail of a binomial.
  double by_chance = 1;
  bool repeats = false;  // by_chance is below the rule's, shared by all parts of the kind
  bool replace = false;  // as many failures as the rule says, within its days
  std::string word() const { return replace ? "RMA" : repeats ? "repeats" : "watch"; }
};

/// Those to replace first, then by chance. A node is named for what failed in it, whichever part that was.
std::vector<PartRecord> offenders(const FleetHistory& fleet, const OffenderRule& rule);

/// A file that read_rates() reads: components with their counts, on all nodes for the mean of the days in
/// which they would have been seen; those that never would are left out, with their failures. Early life
/// where it shows. Throws a usage Error where nothing was under watch.
std::string rates_toml(const FleetHistory& fleet, const std::string& name);

/// Without the rates, which rates_text() and rates_json() say.
std::string to_text(const FleetHistory& fleet, const OffenderRule& rule);
nlohmann::ordered_json to_json(const FleetHistory& fleet, const OffenderRule& rule);

}  // namespace assay::model::reliability
