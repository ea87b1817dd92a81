// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A prediction for people and for programs: the three inputs read and evaluated, then printed.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/predict/measured/coefficients.hpp"
#include "model/predict/measured/measured_times.hpp"
#include "model/predict/read/read.hpp"
#include "model/predict/step/step.hpp"
#include "model/predict/system/execution.hpp"

namespace assay::model {

struct Configuration {
  Application application;
  Execution execution;
  System system;
  Model model = Model::calculon;
  std::vector<std::string> coefficients = {};  // where times come from that are not the system's tables
};

/// Sources of the three inputs, for messages.
struct ConfigurationNames {
  std::string application, execution, system;
};

/// The model, and coefficients that override those which the system names. What was read of their files is
/// shared by all that is read under the same options and their copies.
struct ReadOptions {
  Model model = Model::calculon;
  bool by_keys = false;  // assay's where the files have keys that Calculon does not know
  std::vector<CoefficientFile> coefficients = {};
  std::vector<std::string> left_out = {};  // sections of their files that do not apply, a line each
  std::int64_t sequence = usual_sequence;  // tokens, where the application is a config.json
  std::string coefficients_dtype = {};     // whose coefficients to take in place of the execution's datatype
  std::shared_ptr<MeasuredTimesReader> times = std::make_shared<MeasuredTimesReader>();
};

/// Chooses assay's model where the caller leaves it to the keys of the files, and one asks for it: then what
/// is said of that, else nothing. A search has no execution.
std::string choose_by_keys(const JsonValue& application, const std::optional<JsonValue>& execution,
                           const JsonValue& system, ReadOptions& options);

/// A system, and the sources of those of its times that are measured, a line each.
struct PricedSystem {
  System system;
  std::vector<std::string> coefficients;
};

/// Reads a system, under assay's model with the coefficients that it names, and before them those of the
/// options. Throws a usage Error naming file and key.
PricedSystem read_priced_system(const JsonValue& json, const ReadOptions& options, const PricedTypes& types);

/// Throws a usage Error naming file and key.
Configuration read_configuration(const JsonValue& application, const JsonValue& execution,
                                 const JsonValue& system, const ReadOptions& options);

/// Read trees as the two above read documents; the names open the messages.
PricedSystem read_priced_system(const nlohmann::json& tree, const std::string& file,
                                const ReadOptions& options, const PricedTypes& types);
Configuration read_configuration(const nlohmann::json& application, const nlohmann::json& execution,
                                 const nlohmann::json& system, const ConfigurationNames& names,
                                 const ReadOptions& options = {});

struct Prediction {
  Verdict verdict;
  BlockCost block;
  Step step;  // where the verdict is feasible
};

Prediction predict(const Configuration& configuration);

/// The sources of this step's times, a line each: coefficients, and the system's tables where there are none.
/// Empty for Calculon's model, where all are the tables'.
std::vector<std::string> pricing(const Configuration& configuration);

/// {"stats": {...96...}, "status": "ok"} or {"reason": ..., "status": "infeasible"}, in one line; where a
/// required bandwidth is infinite it is null, and "unbounded" lists its name; assay's model adds "model",
/// "pricing", "warnings" (measured_use.hpp), and to the stats what Calculon has no name for.
void append_json(std::string& text, const Configuration& configuration, const Prediction& prediction);
/// The JSON of append_json() as a tree.
nlohmann::json to_json(const Configuration& configuration, const Prediction& prediction);

/// Time by part, memory by class and MFU, or why it does not fit; ends with a newline.
std::string to_text(const Configuration& configuration, const Prediction& prediction);

}  // namespace assay::model
