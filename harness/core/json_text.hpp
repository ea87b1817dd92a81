// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// JSON as text, for every writer of it: scripts/check-writers refuses another.
#pragma once

#include <string>

namespace assay::core {

/// A name of a file, a host or a driver may hold any bytes. Those that are not UTF-8 become U+FFFD: JSON
/// cannot hold them, and nlohmann's own default is to throw. `indent`: spaces a level; -1: all in one line.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// In one line, with everything that is not ASCII as \uXXXX.
template <class Json>
std::string ascii_json_text(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace assay::core
