// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/cases_of_filter.hpp"

#include <algorithm>

#include "results/store/sqlite/database.hpp"

namespace assay::results {

std::optional<std::string> condition_of_cases(const Store& store, const StoredRun& run,
                                              const std::string& filter) {
  if (filter.empty()) return "";
  const std::string start = filter.substr(0, filter.find_first_of("*?["));
  Statement rows = store.database().prepare(
      "SELECT c.id, c.name FROM run_cases r JOIN cases c ON c.id = r.case_id WHERE r.run = ?");
  rows.bind(run.id);
  std::string ids;
  while (rows.step()) {
    const std::string name = rows.text(1) + "/";
    const std::size_t common = std::min(name.size(), start.size());
    if (name.compare(0, common, start, 0, common) == 0)
      ids += (ids.empty() ? "" : ",") + std::to_string(rows.integer(0));
  }
  return ids.empty() ? std::nullopt : std::optional("AND p.case_id IN (" + ids + ") ");
}

}  // namespace assay::results
