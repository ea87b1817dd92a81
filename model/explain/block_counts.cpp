// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The effect of the number of blocks on a model's mappings: a pipeline's depth and its chunks must divide it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/explain/explanation.hpp"

namespace assay::model {
namespace {

using Kind = results::Column::Kind;

std::int64_t blocks_of(const Finding& finding) { return finding.trial.question.application.num_blocks; }

std::string sentence(std::vector<Finding> findings) {
  std::ranges::stable_sort(findings, std::greater(), &Finding::mfu);
  const Finding& best = findings.front();
  const Finding& worst = findings.back();
  if (!best.best) return "None of these fits.";
  std::string text = fmt::format("{} blocks map best: {} mappings, MFU {:.1f} %", blocks_of(best),
                                 best.mappings, 100 * best.mfu());
  if (findings.size() == 1) return text + ".";
  text += fmt::format("; {} worst: {} mappings ({:.1f} times fewer), ", blocks_of(worst), worst.mappings,
                      static_cast<double>(best.mappings) / static_cast<double>(worst.mappings));
  return text + (worst.best ? fmt::format("MFU {:.1f} %.", 100 * worst.mfu()) : "and none fits.");
}

}  // namespace

Explanation explain_blocks(const Subject& subject, std::int64_t processors,
                           const std::vector<std::int64_t>& blocks) {
  std::vector<Trial> trials;
  for (const std::int64_t count : blocks) {
    Question question = subject.question(processors);
    question.application.num_blocks = count;
    trials.push_back({{count, fmt::format("{}", fmt::join(divisors(count), " "))}, question});
  }
  const std::vector<Finding> findings = find_best(trials, subject.threads);
  return {.answer = sentence(findings),
          .tables = {table_of("Number of blocks", {{"blocks", "", Kind::count}, {"divisors", "", Kind::text}},
                              findings)},
          .holds = std::ranges::any_of(findings, [](const Finding& of) { return of.best.has_value(); }),
          .warnings = warnings_of(findings)};
}

}  // namespace assay::model
