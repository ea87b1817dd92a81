// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/at_pointer.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "harness/core/text/json_text.hpp"

namespace assay::model::claims {
namespace {

std::string text_of(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : core::json_text(value);
}

/// "NAME=VALUE" of its member.
bool has_member(const nlohmann::json& element, const std::string& wanted) {
  const auto equals = wanted.find('=');
  const auto member = element.find(wanted.substr(0, equals));
  return element.is_object() && member != element.end() && text_of(*member) == wanted.substr(equals + 1);
}

/// The first element that has all of them.
const nlohmann::json* chosen(const nlohmann::json& list, const std::string& members) {
  std::vector<std::string> wanted;
  std::istringstream text(members);
  for (std::string one; std::getline(text, one, ',');) wanted.push_back(one);
  const auto found = std::ranges::find_if(list, [&](const nlohmann::json& element) {
    return std::ranges::all_of(wanted, [&](const std::string& one) { return has_member(element, one); });
  });
  return found == list.end() ? nullptr : &*found;
}

const nlohmann::json* part_of(const nlohmann::json& answer, const std::string& part) {
  if (answer.is_array() && part.find('=') != std::string::npos) return chosen(answer, part);
  const nlohmann::json::json_pointer at("/" + part);
  return answer.contains(at) ? &answer.at(at) : nullptr;
}

}  // namespace

const nlohmann::json* at_pointer(const nlohmann::json& answer, const std::string& pointer) {
  const nlohmann::json* found = &answer;
  if (pointer == "/") return found;
  for (std::size_t begin = 0; begin < pointer.size() && found != nullptr;) {
    const std::size_t end = std::min(pointer.find('/', begin + 1), pointer.size());
    found = part_of(*found, pointer.substr(begin + 1, end - begin - 1));
    begin = end;
  }
  return found;
}

}  // namespace assay::model::claims
