// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One workload on variants of a fabric, with the same hash seeds: which is faster, by how much, and which are
// equal within a margin.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/core/statistics/equivalence.hpp"
#include "model/fabric/file/key_value.hpp"
#include "model/fabric/simulate/answer/answer.hpp"
#include "model/fabric/simulate/times.hpp"

namespace assay::model::fabric {

/// "routing=ecmp,e-ecmp": a key of the fabric file and its values.
struct VariedKey {
  std::string key;
  std::vector<std::string> values;
};
VariedKey varied_key(const std::string& text);

inline constexpr std::size_t most_policies = 500;
/// Every combination of values, the last key changing fastest. Throws a usage Error beyond most_policies.
std::vector<std::vector<KeyValue>> combinations_of(std::span<const VariedKey> varied);

struct Policy {
  std::vector<KeyValue> values;
  std::vector<double> time_us = {};  // for each seed
  double even_us = 0;
  std::vector<SharingRuleKind> rules = {};
  std::vector<double> gain = {};  // over the first policy, of each seed: time before over after, less 1
  core::EquivalenceResult equivalence = {};  // of times, with the first policy: over seeds, within the margin
  int queue_pairs = 1;
  double switch_capacity_gb_per_s = 0;  // of all links between switches, one way
  bool pareto =
      false;  // no other is at least as good in median, 95 %, queue pairs and capacity, and better in one
};

struct PolicyQuestion {
  std::string fabric_toml, fabric_file;  // what the file says, and its name
  WorkloadFile workload;
  std::vector<KeyValue> replaced;  // in all
  std::vector<VariedKey> varied;
  double margin = 0.01;
  SimulationOptions simulation = {};
  SeeSimulation see = {};
};

std::vector<Policy> compare_policies(const PolicyQuestion& question);
Answer policies_answer(const PolicyQuestion& question, const std::vector<Policy>& policies);

}  // namespace assay::model::fabric
