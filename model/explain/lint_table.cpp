// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "harness/core/units.hpp"
#include "model/explain/lint.hpp"
#include "model/explain/model_family.hpp"

namespace assay::model {

Explanation explain_lint(const Application& application, const std::vector<Remark>& remarks) {
  using Kind = results::Column::Kind;
  const auto warnings = std::ranges::count_if(remarks, &Remark::warning);
  results::Table table{.title = "Numbers that map badly"};
  table.columns = {{"level", "", Kind::word}, {"key", "", Kind::word}, {"remark", "", Kind::text}};
  for (const bool warning : {true, false})
    for (const Remark& remark : remarks)
      if (remark.warning == warning)
        table.rows.push_back({remark.warning ? "warning" : "note", remark.key, remark.text});
  return {.answer = fmt::format("{:.6g} billion parameters; {}.", parameter_count(application) * 1e-9,
                                core::counted(warnings, "warning")),
          .tables = {table},
          .holds = warnings == 0};
}

}  // namespace assay::model
