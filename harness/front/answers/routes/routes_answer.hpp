// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Traffic by the forwarding tables of a fabric, with a verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::answers {

struct RoutesQuestion {
  std::string fabric;
  std::vector<std::string> set = {};  // "routing.file=other.dump"
  std::uint32_t permutations = 1000;
  std::uint64_t seed = 1;
  unsigned threads = 1;
  std::optional<std::uint64_t> shift_at_most;  // paths on the busiest cable by any shift
  std::optional<double> all_to_all_at_most;    // times as long as over hosts' own cables
  std::optional<double> lost_at_most;          // likewise, whichever cable is lost
  std::string path_levels, lane_maps;          // files of service levels; empty: one virtual lane
  std::vector<std::string> patterns = {};      // whose loads are asked for: ring, shift6, all_to_all
};

/// Figures by which engines are compared.
struct EngineRow {
  std::size_t free_shifts = 0, shifts = 0;
  double mean_shift = 0;
  std::uint64_t worst_shift = 0;
  std::uint64_t median_permutation = 0, worst_permutation = 0;
  double effective_bisection = 0;
  std::uint64_t all_to_all = 0;
  double all_to_all_times = 0, lost_cable_times = 0;  // the latter by the worst cable
  bool has_cycle = false;                             // on one virtual lane
};

struct RoutesAnswer {
  std::string text, json;
  std::string loads;  // CSV of the asked patterns' paths on each cable
  EngineRow row = {};
  /// Nothing where it cannot be decided: buffers wait in a circle on one virtual lane.
  std::optional<bool> holds;
};

/// Throws a usage Error where the fabric's routing is not by tables, and for a pattern that there is not.
RoutesAnswer judge_routes(const RoutesQuestion& question);

/// Remarks on the tables of a fabric in TOML with routing by tables: left out parts of their files, and
/// findings by switch and LID. Throws as its reader does.
std::vector<std::string> route_remarks(const std::string& toml, const std::string& file);

}  // namespace assay::answers
