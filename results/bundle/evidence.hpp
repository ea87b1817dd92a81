// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a bundle holds: the records, what they are judged by, and what was said of them when it was made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/bundle/tar.hpp"
#include "results/judge/fleet_judgement.hpp"
#include "results/judge/run_comparison.hpp"

namespace assay::results {

inline constexpr int bundle_version = 1;

/// How the records are judged, limits files aside.
struct JudgeOrder {
  bool accept = true;  // the fleet against itself, and against limits where there are any
  std::string filter;
  FleetRules rules;
  std::vector<ComparisonRequest> comparisons;
};

struct Evidence {
  std::string assay_version, source_revision;  // of the program that made the bundle
  JudgeOrder order;
  std::string records;           // lines of a journal
  std::string damage;            // one line for each damaged line of the journals that the store was made of
  std::vector<Member> limits;    // limits/NAME.toml, each as it was read
  std::vector<Member> places;    // places.csv, one or none
  std::vector<Member> checks;    // checks/NAME.json: verdicts of assay check or another judge
  std::vector<Member> logbooks;  // logbooks/NAME.json of assay check: what stands counts; counters are kept
  std::string verdicts, text;    // what was said, for programs (JSON) and for people
};

struct Bundle {
  Evidence evidence;
  std::string seal;  // ends its chain
};

/// The bytes of a bundle, and its seal.
struct PackedBundle {
  std::string bytes, seal;
};
PackedBundle pack(const Evidence& evidence);

/// Throws std::runtime_error with one line: not there, no bundle, altered (naming the member), of a later
/// version.
Bundle read_bundle(const std::string& file);
/// The same of its bytes; `where` names them in messages.
Bundle unpack(std::string_view bytes, const std::string& where);

/// A file of the user as a member: "limits/h100.toml" of "../h100.toml". Throws std::runtime_error where it
/// cannot be read.
Member member_from(const std::string& folder, const std::string& file);

}  // namespace assay::results
