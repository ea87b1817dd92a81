// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Verdicts of assay check, or of another judge.
#include <stdexcept>

#include "results/judge/judges.hpp"

namespace assay::results {
namespace {

Judged judge_check(const EvidenceFile& file) try {
  Verdicts verdicts = file.content ? verdicts_from_json(*file.content, file.name) : read_verdicts(file.name);
  name_origin(verdicts, "unknown");  // of an earlier program
  Table table = to_table(verdicts);
  return {std::move(verdicts), std::move(table)};
} catch (const std::runtime_error& error) {
  return open_judgement(file.name, error.what());
}

std::vector<Judged> judge_checks(const Evidence& evidence) {
  std::vector<Judged> all;
  for (const EvidenceFile& file : evidence.files_of("checks")) all.push_back(judge_check(file));
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
