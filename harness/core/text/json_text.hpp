// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// JSON as text, for every writer of it: scripts/check-writers refuses another. Compiled once, as
// json_from.hpp is.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::core {

/// A name of a file, a host or a driver may hold any bytes. Those that are not UTF-8 become U+FFFD: JSON
/// cannot hold them, and nlohmann's own default is to throw. `indent`: spaces a level; -1: all in one line.
std::string json_text(const nlohmann::json& json, int indent = -1);
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

/// In one line, with everything that is not ASCII as \uXXXX.
std::string ascii_json_text(const nlohmann::json& json);
std::string ascii_json_text(const nlohmann::ordered_json& json);

}  // namespace assay::core
