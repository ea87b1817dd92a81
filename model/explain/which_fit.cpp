// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The models that a system can train at all.
#include <fmt/format.h>

#include <algorithm>

#include "model/explain/explanation.hpp"
#include "model/explain/model_family.hpp"

namespace assay::model {
namespace {

using Kind = results::Column::Kind;

std::string sentence(const std::vector<Finding>& findings, const std::vector<NamedApplication>& models,
                     std::int64_t processors) {
  std::string without;
  std::size_t fitting = 0, largest = 0, best = 0;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!findings[i].best) {
      without += (without.empty() ? "" : ", ") + models[i].name;
      continue;
    }
    const auto size = [&](std::size_t of) { return parameter_count(models[of].application); };
    if (fitting++ == 0 || size(i) > size(largest)) largest = i;
    if (findings[i].mfu() > findings[best].mfu()) best = i;
  }
  if (fitting == 0) return fmt::format("None of these fits on {} processors.", processors);
  return fmt::format(
      "{} of {} fit on {} processors, the largest {} at {:.1f} % MFU (the best {} at {:.1f} %){}.", fitting,
      findings.size(), processors, models[largest].name, 100 * findings[largest].mfu(), models[best].name,
      100 * findings[best].mfu(), without.empty() ? "" : "; not " + without);
}

}  // namespace

Explanation explain_fits(const Subject& subject, std::int64_t processors,
                         const std::vector<NamedApplication>& models) {
  std::vector<Trial> trials;
  for (const auto& [name, application] : models) {
    Question question = subject.question(processors);
    question.application = application;
    trials.push_back({{name, results::Number{parameter_count(application) * 1e-12}, application.num_blocks,
                       application.hidden, application.attn_heads, application.attn_size},
                      question});
  }
  const std::vector<Finding> findings = find_best(trials, subject.threads);
  return {.answer = sentence(findings, models, processors),
          .tables = {table_of("Which models fit",
                              {{"model", "", Kind::word},
                               {"parameters", "T", Kind::number},
                               {"blocks", "", Kind::count},
                               {"hidden", "", Kind::count},
                               {"heads", "", Kind::count},
                               {"head size", "", Kind::count}},
                              findings)},
          .holds = std::ranges::any_of(findings, [](const Finding& of) { return of.best.has_value(); }),
          .warnings = warnings_of(findings)};
}

}  // namespace assay::model
