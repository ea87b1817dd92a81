// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every unit held against absolute limits of its type of machine.
#include "results/judge/absolute_limits.hpp"
#include "results/judge/judges.hpp"

namespace assay::results {
namespace {

std::vector<Judged> judge_by_limits(const Evidence& evidence) {
  std::vector<LimitsFile> files;
  for (const std::string& file : evidence.files_of("limits")) files.push_back(read_limits(file));
  if (files.empty()) return {};
  return {with_table(judge_limits(evidence.store, evidence.order.filter, files))};
}

}  // namespace

Judge limits_judge() {
  return {"limits",
          {{.kind = JudgeInput::Kind::limit_files,
            .name = "limits",
            .flag = "--limits",
            .about = "absolute limits of a type of machine (TOML; docs/reference/files.md); may be repeated",
            .called = "the limits files",
            .otherwise = ""}},
          judge_by_limits};
}

}  // namespace assay::results
