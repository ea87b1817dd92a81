// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Facts of a run and its machine, as name and value for people. A key the context lacks is "not known".
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "results/points/run_points.hpp"

namespace assay::results {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// Host, product, processor, caches, memory, NUMA, GPUs, HCAs, system, versions.
Facts machine_facts(const nlohmann::ordered_json& machine);
/// Run id, when, plan, modules, command lines, versions, resumed, how it ended, origin.
Facts run_facts(const RunPoints& run);
/// "3 ok, 1 unsupported, 0 failed, 0 wrong, 0 timed out".
std::string points_text(const StoredRun& run);
/// Notes on what could not be read about the machine, and what that costs.
std::vector<std::string> machine_notes(const nlohmann::ordered_json& machine);

struct CacheLevel {
  std::string back_end, name;  // host, "L2"
  std::int64_t bytes = 0;      // of one instance
};
/// Data and unified caches, ascending.
std::vector<CacheLevel> cache_levels(const nlohmann::ordered_json& machine);

/// The first context's machine; null where the run has none.
nlohmann::ordered_json machine_of(const RunPoints& run);

}  // namespace assay::results
