// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Calculon's three files. Every reader throws a usage Error with one line that names file and key.
#pragma once

#include <string>

#include "model/json/json_document.hpp"
#include "model/predict/system/execution.hpp"

namespace assay::model {

/// The rules that a file is read by: Calculon's, or assay's, which know more keys and no others.
enum class Model { calculon, assay };

/// The key of a system file with the measured intervals: KEY: [low, high]. Calculon ignores it.
inline constexpr const char* intervals_key = "intervals";

/// Tokens of a sequence, where the file does not say them: Hugging Face's config.json.
inline constexpr std::int64_t usual_sequence = 4096;

/// Keys that are not its own are left alone, as Calculon does; assay refuses them, and reads a config.json as
/// read_hugging_face() does.
Application read_application(const JsonValue& json, Model model = Model::calculon,
                             std::int64_t sequence = usual_sequence);
/// Exactly its own 23 keys, and in assay those that it knows besides.
Execution read_execution(const JsonValue& json, Model model = Model::calculon);
/// Puts context parallelism whose network is not stated on the next network where that of tensor parallelism
/// has not the space for both, and experts divided over contexts with it. `json` is what `execution` was read
/// from.
void place_context(const JsonValue& json, const System& system, Execution& execution);
/// The inverse of read_execution; Calculon's own keys alone where nothing else is set.
nlohmann::json to_json(const Execution& execution);
/// Keys that are not its own are left alone except in a network and its `ops`; assay refuses them, and has
/// all fixes; coefficients that it names are not read here. All tables descend to a row for 0: Calculon lets
/// an ascending memory table pass, whose row for 0 then hides the rest.
System read_system(const JsonValue& json, Model model = Model::calculon);

/// Read trees as the three above read documents; `file` opens every message.
Application read_application(const nlohmann::json& tree, const std::string& file,
                             Model model = Model::calculon);
Execution read_execution(const nlohmann::json& tree, const std::string& file, Model model = Model::calculon);
System read_system(const nlohmann::json& tree, const std::string& file, Model model = Model::calculon);

/// The JSON of the three inputs.
struct ConfigurationJson {
  const JsonValue& application;
  const JsonValue& execution;
  const JsonValue& system;
};

/// The three together: throws where misfit() finds something, naming the place in the execution, and the file
/// of the application or system that it does not fit.
void require_fit(const Application& application, const Execution& execution, const System& system,
                 const ConfigurationJson& json);

}  // namespace assay::model
