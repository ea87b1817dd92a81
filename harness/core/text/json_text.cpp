// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/json_text.hpp"

#include <nlohmann/json.hpp>

namespace assay::core {
namespace {

template <class Json>
std::string text_of_json(const Json& json, int indent, bool only_ascii) {
  return json.dump(indent, ' ', only_ascii, Json::error_handler_t::replace);
}

}  // namespace

std::string json_text(const nlohmann::json& json, int indent) { return text_of_json(json, indent, false); }
std::string json_text(const nlohmann::ordered_json& json, int indent) {
  return text_of_json(json, indent, false);
}
std::string ascii_json_text(const nlohmann::json& json) { return text_of_json(json, -1, true); }
std::string ascii_json_text(const nlohmann::ordered_json& json) { return text_of_json(json, -1, true); }

}  // namespace assay::core
