// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Times held against what calibrated coefficients predict.
#include <stdexcept>

#include "results/judge/judges.hpp"
#include "results/store/measured_together.hpp"

namespace assay::results {
namespace {

std::vector<Judged> judge_by_coefficients(const Evidence& evidence) {
  const auto files = evidence.files_of("coefficients");
  if (files.empty()) return {};
  if (!evidence.foretell) throw std::runtime_error("coefficients: there is no model to predict with");
  Verdicts whole{.command = "accept"};
  std::size_t together = 0;
  for (const std::string& file : files) {
    const ExpectedTimes expected = evidence.foretell(evidence.store, evidence.order.filter, file);
    together += expected.together;
    append(whole, judge_expectations(expected.times, evidence.share_of("model-margin").value_or(0),
                                     "predicted by " + file));
  }
  whole.subject = "model limits";
  if (together > 0) whole.notes.push_back(together_note(together));
  return {with_table(std::move(whole))};
}

}  // namespace

Judge coefficients_judge() {
  return {"coefficients",
          {{.kind = JudgeInput::Kind::limit_files,
            .name = "coefficients",
            .flag = "--coefficients",
            .about = "of assay fit: what they predict limits times; may be repeated",
            .called = "the coefficients",
            .otherwise = ""},
           {.kind = JudgeInput::Kind::share,
            .name = "model-margin",
            .flag = "--model-margin",
            .about = "how much longer than predicted is accepted",
            .called = "",
            .otherwise = "10%"}},
          judge_by_coefficients};
}

}  // namespace assay::results
