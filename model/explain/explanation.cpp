// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/explain/explanation.hpp"

#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"

namespace assay::model {

nlohmann::json to_json(const Explanation& explanation) {
  nlohmann::json tables = nlohmann::json::array();
  for (const results::Table& table : explanation.tables)
    tables.push_back(core::json_from<nlohmann::json>(results::to_json(table)));
  return {{"answer", explanation.answer}, {"tables", std::move(tables)}, {"warnings", explanation.warnings}};
}

}  // namespace assay::model
