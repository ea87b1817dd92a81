// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What assay check, or another judge, said.
#include "harness/core/error.hpp"
#include "results/judge/judges.hpp"

namespace assay::results {
namespace {

Judged judge_check(const std::string& file) try {
  Verdicts verdicts = read_verdicts(file);
  Table table = to_table(verdicts);
  return {std::move(verdicts), std::move(table)};
} catch (const core::Error& error) {
  return open_judgement(file, error.what());
}

std::vector<Judged> judge_checks(const Evidence& evidence) {
  std::vector<Judged> all;
  for (const std::string& file : evidence.files_of("checks")) all.push_back(judge_check(file));
  return all;
}

}  // namespace

Judge checks_judge() {
  return {"checks",
          {{.kind = JudgeInput::Kind::data_files,
            .name = "checks",
            .flag = "--check",
            .about = "what assay check said (its --verdicts FILE)",
            .called = "the checks"}},
          judge_checks};
}

}  // namespace assay::results
