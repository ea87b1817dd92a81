// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The tables of a simulation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/fabric/simulate/answer/advice.hpp"
#include "model/fabric/simulate/loads.hpp"
#include "model/fabric/simulate/simulation.hpp"
#include "results/table/table.hpp"

namespace assay::model::fabric {

inline constexpr std::size_t most_rows = 10;  // of busiest links, and of slowest ranks

results::Table operation_table(const Simulation& simulation);
results::Table step_table(const Simulation& simulation);
/// Whose own links pauses held back, in the median seed; nothing where no step is under occupancy sharing.
std::optional<std::size_t> paused_hosts(const FabricModel& model, const Simulation& simulation);
/// Under occupancy sharing, of the median seed: links that pauses held back, by tier. Without rows elsewhere.
results::Table pause_table(const Scenario& scenario, const Simulation& simulation);
/// Under rate control, of the median seed: the link of each kind of step that needs the longest. Without rows
/// where no step has one.
results::Table congestion_table(const Scenario& scenario, const Simulation& simulation);
/// Times of several jobs, each alone and together.
results::Table job_table(const Scenario& scenario, const Simulation& simulation);
/// Imbalance by tier, and busiest links.
void append_load_tables(const Scenario& scenario, const Simulation& simulation,
                        std::vector<results::Table>& tables);
results::Table rank_table(const Scenario& scenario, const Simulation& simulation);
results::Table change_table(const std::vector<Change>& changes);

/// Ranks by falling time, at most `most`.
std::vector<std::uint32_t> slowest_ranks(const Scenario& scenario, const Simulation& simulation,
                                         std::size_t most);

/// {"origin": "simulated", "finding": ..., "hosts": [...]}
std::string finding_json(const std::string& finding, const std::vector<std::string>& hosts);

}  // namespace assay::model::fabric
