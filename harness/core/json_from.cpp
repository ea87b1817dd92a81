// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/json_from.hpp"

namespace assay::core {

template <EitherJson Json>
Json json_from(std::string_view text) {
  return Json::parse(text);
}

template <EitherJson Json>
Json json_or_discarded(std::string_view text) {
  return Json::parse(text, nullptr, false);
}

template nlohmann::json json_from(std::string_view);
template nlohmann::ordered_json json_from(std::string_view);
template nlohmann::json json_or_discarded(std::string_view);
template nlohmann::ordered_json json_or_discarded(std::string_view);

}  // namespace assay::core
