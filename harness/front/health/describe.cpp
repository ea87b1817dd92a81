// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/describe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/front/health/finding_verdicts.hpp"

namespace assay::health {
namespace {

long count(const std::vector<Finding>& findings, Status status) {
  return std::count_if(findings.begin(), findings.end(),
                       [&](const Finding& finding) { return finding.status == status; });
}

bool quiet(const Finding& finding) {
  return finding.status == Status::passed || finding.status == Status::absent;
}

}  // namespace

std::string summary(const std::vector<Finding>& findings) {
  std::string text = fmt::format("{}:", verdict_word(findings));
  const char* separator = " ";
  for (const Status status :
       {Status::failed, Status::unknown, Status::noticed, Status::waived, Status::passed, Status::absent})
    if (const long found = count(findings, status); found > 0) {
      text += fmt::format("{}{} {}", separator, found, to_string(status));
      separator = ", ";
    }
  return text;
}

results::Table to_table(std::vector<Finding> findings, bool all) {
  results::Table table{.title = "Health of this node", .notes = {summary(findings)}};
  if (!all) std::erase_if(findings, quiet);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& one, const Finding& other) { return one.status > other.status; });
  using Kind = results::Column::Kind;
  table.columns = {{.name = "status", .kind = Kind::word},
                   {.name = "check", .kind = Kind::word},
                   {.name = "unit", .kind = Kind::word},
                   {.name = "evidence"},
                   {.name = "meaning"},
                   {.name = "action"}};
  for (const Finding& finding : findings)
    table.rows.push_back({std::string(to_string(finding.status)), finding.check,
                          finding.unit.empty() ? std::string("host") : finding.unit, finding.evidence,
                          finding.meaning, std::string(results::imperative(finding.action))});
  return table;
}

results::Table table_of(std::span<const Check> checks) {
  results::Table table{.title = "Health checks"};
  table.columns = {{.name = "check", .kind = results::Column::Kind::word}, {.name = "looks at"}};
  for (const Check& check : checks) table.rows.push_back({std::string(check.name), std::string(check.about)});
  return table;
}

}  // namespace assay::health
