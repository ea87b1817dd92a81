// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Numbers of forwarding tables by themselves: what each pattern meets on the busiest link between switches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fabric/routes/route_findings.hpp"
#include "model/fabric/routes/route_patterns.hpp"

namespace assay::model::fabric::routes {

/// Links of one tier and direction under an all-to-all.
struct TierBalance {
  std::string name;                                       // "leaf>spine"
  std::uint64_t links = 0, least = 0, most = 0, sum = 0;  // paths

  double mean() const { return static_cast<double>(sum) / static_cast<double>(links); }
};

/// Hosts' pairs whose path is longer than the shortest that cables allow.
struct Detours {
  std::uint64_t pairs = 0;
  std::uint32_t most_hops = 0;  // beyond the shortest
};

struct JudgeSettings {
  std::uint32_t permutations = 1000;
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

struct RouteJudgement {
  std::size_t hosts = 0, pairs = 0;  // pairs that cables join
  std::size_t planes = 1;
  std::vector<std::uint64_t> shifts;        // most paths on a link, by 1 on
  std::vector<std::uint64_t> permutations;  // likewise, sorted
  double effective_bisection = 1;           // of full bandwidth
  PatternPaths ring, all_to_all;
  double all_to_all_times = 1;       // as long as over hosts' own links alone
  double even_all_to_all_times = 1;  // likewise, where all shortest paths share evenly
  std::vector<TierBalance> tiers;
  Detours detours;
  std::vector<RouteFinding> findings;
  std::vector<LinkId> cycle;  // table_cycle

  double mean_shift() const;
  std::uint64_t worst_shift() const;
  /// Shifts by which no two paths meet.
  std::size_t free_shifts() const;
};

/// Planes of hosts that cables join.
Planes planes_of(const Topology& topology);

RouteJudgement judge_routes(const Topology& topology, const ForwardingTables& tables, const Subnet& subnet,
                            const JudgeSettings& settings);

}  // namespace assay::model::fabric::routes
