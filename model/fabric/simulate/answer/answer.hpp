// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The answer to a question about a fabric: a sentence, tables, and every number as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/fabric/simulate/answer/advice.hpp"
#include "model/fabric/simulate/simulation.hpp"
#include "model/fabric/simulate/steps/bursts.hpp"
#include "results/table/table.hpp"

namespace assay::model::fabric {

struct Answer {
  std::string sentence;
  std::vector<std::string> notes = {};  // what was assumed, and how far it is known to be off
  std::vector<results::Table> tables = {};
  std::string json = {};
  bool holds = true;  // false: a finding, as a fabric cut in two
};

/// Hosts of ranks that failures have cut off from the others; a finding with their names, or nothing. Throws
/// a usage Error naming the file where no cable ever joined them.
std::optional<Answer> cut_off_answer(const Scenario& scenario);

Answer simulation_answer(const Scenario& scenario, const Simulation& simulation,
                         const SimulationOptions& options, const std::optional<std::vector<Change>>& changes);

/// Its numbers, counts and link loads by tier.
std::string simulation_json(const Scenario& scenario, const Simulation& simulation,
                            const std::vector<OperationBursts>& bursts, const Answer& answer,
                            const std::optional<std::vector<Change>>& changes);

/// Notes of every answer: simulated, by which rules with their known errors, and what was assumed.
std::vector<std::string> notes_of(const FabricFile& fabric, const std::vector<SharingRuleKind>& rules,
                                  std::uint32_t seeds);

/// Notes on assumptions that stand for measurements, what was measured instead, and what of that has no
/// place.
std::vector<std::string> origin_notes(const FabricFile& fabric);

/// Median, and its 5 to 95 % where there are several seeds, each times `scale`.
results::Number number_of(const std::vector<double>& of_seeds, double scale = 1);
/// "11.9 ms (11.2 to 13.0 over 100 hash seeds)".
std::string time_text(const std::vector<double>& time_us);

}  // namespace assay::model::fabric
