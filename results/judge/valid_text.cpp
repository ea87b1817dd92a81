// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/valid_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace assay::results {

std::string valid_text(const std::string& text) {
  using Json = nlohmann::json;
  std::string valid =
      Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
  std::ranges::replace_if(
      valid, [](char byte) { return byte != '\n' && ((byte >= 0 && byte < ' ') || byte == 0x7f); }, ' ');
  return valid;
}

}  // namespace assay::results
