// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Calculon's three files. Every reader throws a usage Error with one line that names file and key; `file` is
// only for that line, and may be the place of an object inside a larger file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/predict/execution.hpp"

namespace assay::model {

/// Whose rules a file is read by: Calculon's, or assay's, which know more keys and no others.
enum class Model { calculon, assay };

/// The key of a system file under which measured intervals stand: KEY: [low, high]. Calculon does not look at
/// it.
inline constexpr const char* intervals_key = "intervals";

/// Keys that are not its own are left alone, as Calculon does; assay refuses them.
Application read_application(const nlohmann::json& json, const std::string& file,
                             Model model = Model::calculon);
/// Exactly its own 23 keys, and in assay up to three more.
Execution read_execution(const nlohmann::json& json, const std::string& file, Model model = Model::calculon);
/// The inverse of read_execution; Calculon's own keys alone where nothing else is set.
nlohmann::json to_json(const Execution& execution);
/// Keys that are not its own are left alone except in a network and its `ops`; assay refuses them, and has
/// all mends; coefficients that it names are not read here. All tables descend to a row for 0: Calculon lets
/// an ascending memory table pass, whose row for 0 then hides the rest.
System read_system(const nlohmann::json& json, const std::string& file, Model model = Model::calculon);

/// The three together: throws where misfit() finds something, naming `execution_file`.
void require_fit(const Application& application, const Execution& execution, const System& system,
                 const std::string& execution_file);

}  // namespace assay::model
