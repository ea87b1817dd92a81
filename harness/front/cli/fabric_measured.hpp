// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What was measured of a fabric, for commands that simulate it: coefficients of assay fit, or a run.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/fabric/file/fabric_file.hpp"
#include "model/fabric/measured/expectation.hpp"

namespace assay::cli {

struct MeasuredFlags {
  std::vector<std::string> coefficients;
  std::string store, run, order;
  bool force = false;

  bool any() const { return !coefficients.empty() || !store.empty(); }
};

/// --coefficients, --store, --run, --run-order and --force.
void add_measured(CLI::App& app, MeasuredFlags& flags);

/// `replaced`, and before them the keys of what was measured for the fabric that they make.
std::vector<model::fabric::KeyValue> with_measured(const MeasuredFlags& flags, const std::string& fabric,
                                                   std::vector<model::fabric::KeyValue> replaced);

/// "run r1 of store.sqlite (measured)", and its operations against the simulated ones.
struct RunExpectation {
  std::string run;
  std::vector<model::fabric::measured::ExpectedOperation> operations;
  std::map<std::string, std::size_t> left_out;
};
RunExpectation expectation_of(const MeasuredFlags& flags, const model::fabric::FabricFile& fabric,
                              const model::fabric::SimulationOptions& options);

}  // namespace assay::cli
