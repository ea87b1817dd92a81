// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/explain/explanation.hpp"

#include <nlohmann/json.hpp>

namespace assay::model {

nlohmann::json to_json(const Explanation& explanation) {
  nlohmann::json tables = nlohmann::json::array();
  for (const results::Table& table : explanation.tables)
    tables.push_back(nlohmann::json::parse(results::to_json(table)));
  return {{"answer", explanation.answer}, {"tables", std::move(tables)}, {"warnings", explanation.warnings}};
}

}  // namespace assay::model
