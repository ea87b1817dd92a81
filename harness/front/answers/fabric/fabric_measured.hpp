// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Measurements of a fabric, for questions about it: coefficients of assay fit, or a run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/front/answers/fabric/fabric_text.hpp"
#include "model/fabric/file/fabric_file.hpp"
#include "model/fabric/measured/expectation.hpp"

namespace assay::answers {

struct MeasuredSource {
  std::vector<std::string> coefficients;
  std::string store, run, order;
  bool force = false;

  bool any() const { return !coefficients.empty() || !store.empty(); }
};

/// `replaced`, and before them the keys of what was measured for the fabric that they make.
std::vector<model::fabric::KeyValue> with_measured(const MeasuredSource& source, const TomlSource& fabric,
                                                   std::vector<model::fabric::KeyValue> replaced);

/// "run r1 of store.sqlite (measured)", and its operations against the simulated ones.
struct RunExpectation {
  std::string run;
  std::vector<model::fabric::measured::ExpectedOperation> operations;
  std::map<std::string, std::size_t> left_out;
};
RunExpectation expectation_of(const MeasuredSource& source, const model::fabric::FabricFile& fabric,
                              const model::fabric::SimulationOptions& options);

}  // namespace assay::answers
