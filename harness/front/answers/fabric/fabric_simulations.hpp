// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The simulations of one question about a fabric, and their journal.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/fabric/records/fabric_journal.hpp"
#include "model/fabric/records/simulation_records.hpp"
#include "model/fabric/simulate/times.hpp"

namespace assay::answers {

class FabricSimulations {
 public:
  /// `journal`: a file to append to; empty for none. Throws as FabricJournal.
  FabricSimulations(const std::string& journal, const model::fabric::JournalSubject& subject,
                    model::fabric::SimulationOptions options)
      : options_(std::move(options)) {
    if (!journal.empty()) journal_.emplace(journal, subject);
  }
  FabricSimulations(const FabricSimulations&) = delete;
  FabricSimulations& operator=(const FabricSimulations&) = delete;

  const model::fabric::SimulationOptions& options() const { return options_; }
  /// Writes each simulation into the journal; null without one.
  model::fabric::SeeSimulation see();
  void see_placement(const model::fabric::Simulated& before, const model::fabric::Simulated& after,
                     const std::vector<model::fabric::TierCut>& cuts);
  /// Ends the journal, after the last simulation.
  void finish();

 private:
  std::optional<model::fabric::FabricJournal> journal_;
  model::fabric::SimulationOptions options_;
};

}  // namespace assay::answers
