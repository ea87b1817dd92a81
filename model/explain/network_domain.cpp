// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The number of processors that the fast network must join.
#include <fmt/format.h>

#include <algorithm>

#include "model/explain/explanation.hpp"

namespace assay::model {
namespace {

using Kind = results::Column::Kind;

constexpr double enough_of_best = 0.99;  // of the best domain's rate

/// "8 is enough at 4096 processors; 16 at 16384 (8 reaches 77 %)": of one number of processors.
std::string verdict(const std::vector<Finding>& findings, std::size_t begin, std::size_t end,
                    const std::vector<std::int64_t>& domains) {
  const std::int64_t processors = findings[begin].trial.question.processors;
  double best = 0;
  for (std::size_t i = begin; i < end; ++i) best = std::max(best, findings[i].sample_rate());
  if (best == 0) return fmt::format("none fits at {} processors", processors);
  std::size_t first = begin;
  while (findings[first].sample_rate() < enough_of_best * best) ++first;
  std::string text = fmt::format("{} at {} processors", domains[first - begin], processors);
  if (first > begin)
    text += fmt::format(" ({} reaches {:.1f} %)", domains[first - begin - 1],
                        100 * findings[first - 1].sample_rate() / best);
  return text;
}

}  // namespace

Explanation explain_domain(const Subject& subject, const std::vector<std::int64_t>& processors,
                           const std::vector<std::int64_t>& domains) {
  std::vector<Trial> trials;
  for (const std::int64_t count : processors)
    for (const std::int64_t domain : domains)
      trials.push_back(
          {{count, domain}, subject.question(count, {{"networks[0].size", static_cast<double>(domain)}})});
  const std::vector<Finding> findings = find_best(trials, subject.threads);
  std::string answer = "The smallest domain within 1 % of the best: ";
  for (std::size_t i = 0; i < processors.size(); ++i)
    answer += (i == 0 ? "" : ", ") + verdict(findings, i * domains.size(), (i + 1) * domains.size(), domains);
  return {.answer = answer + ".",
          .tables = {table_of("Size of the first network tier",
                              {{"processors", "", Kind::count}, {"domain", "", Kind::count}}, findings)},
          .holds = std::ranges::any_of(findings, [](const Finding& of) { return of.best.has_value(); }),
          .warnings = warnings_of(findings)};
}

}  // namespace assay::model
