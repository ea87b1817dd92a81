// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/fabric_simulations.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <utility>

namespace assay::cli {

namespace fabric = model::fabric;

FabricSimulations::FabricSimulations(const std::string& journal, const fabric::JournalSubject& subject,
                                     fabric::SimulationOptions options)
    : options_(std::move(options)) {
  if (!journal.empty()) journal_.emplace(journal, subject);
  status_.emplace(std::cerr, isatty(STDERR_FILENO) == 1, fmt::format("simulating {}", subject.workload_file));
  options_.progress = [this](std::size_t done, std::size_t of) { status_->show(done, of); };
}

fabric::SeeSimulation FabricSimulations::see() {
  if (!journal_) return {};
  return [this](const fabric::Scenario& scenario, const fabric::Simulation& simulation,
                const std::vector<fabric::KeyValue>& replaced) {
    journal_->write(fabric::simulation_records({scenario, simulation, options_, replaced}));
  };
}

void FabricSimulations::see_placement(const fabric::Simulated& before, const fabric::Simulated& after,
                                      const std::vector<fabric::TierCut>& cuts) {
  if (journal_) journal_->write(fabric::placement_records(before, after, cuts));
}

void FabricSimulations::finish() {
  status_.reset();
  if (journal_) journal_->end();
}

}  // namespace assay::cli
