// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Strong scaling: the same batch on more processors.
#include <fmt/format.h>

#include <algorithm>

#include "model/explain/explanation.hpp"
#include "model/explain/terms.hpp"

namespace assay::model {
namespace {

using Kind = results::Column::Kind;

/// Below this share of the rate that the added processors would have at the first count's rate a processor,
/// scaling counts as stopped.
constexpr double worth_adding = 0.5;

double processors(const Finding& finding) { return static_cast<double>(finding.trial.question.processors); }

/// The rate that the processors added from `from` to `to` return, as a share of what they would at `first`'s
/// rate a processor.
double returned(const Finding& first, const Finding& from, const Finding& to) {
  const double fair = first.sample_rate() / processors(first) * (processors(to) - processors(from));
  return (to.sample_rate() - from.sample_rate()) / fair;
}

double of_linear(const Finding& first, const Finding& finding) {
  return finding.sample_rate() / processors(finding) / (first.sample_rate() / processors(first));
}

/// The index of the first finding from which no larger count is worth adding; the last where there is none.
std::size_t stop(const std::vector<Finding>& findings) {
  for (std::size_t i = 0; i + 1 < findings.size(); ++i) {
    const bool goes_on = std::any_of(
        findings.begin() + static_cast<std::ptrdiff_t>(i) + 1, findings.end(),
        [&](const Finding& larger) { return returned(findings[0], findings[i], larger) >= worth_adding; });
    if (!goes_on) return i;
  }
  return findings.size() - 1;
}

results::Table term_table(const Finding& from, const Finding& to, const std::vector<TermGrowth>& all) {
  const auto number = [](double value) { return results::Cell(results::Number{value}); };
  const auto at = [](const Finding& finding) { return fmt::format("at {:.0f}", processors(finding)); };
  results::Table table{.title = "Processor-seconds a sequence, by term (predicted)"};
  table.columns = {{"term", "", Kind::word},
                   {at(from), "s", Kind::number},
                   {at(to), "s", Kind::number},
                   {"growth", "s", Kind::number}};
  for (const TermGrowth& term : all)
    if (term.from != 0 || term.to != 0)
      table.rows.push_back(
          {std::string(term.name), number(term.from), number(term.to), number(term.growth())});
  table.notes = {"Perfect scaling keeps every term; what grows is what stops it."};
  return table;
}

std::string because(const std::vector<TermGrowth>& all, std::int64_t at) {
  double grown = 0;
  for (const TermGrowth& term : all) grown += std::max(0.0, term.growth());
  std::string text;
  for (std::size_t i = 0; i < 2 && all[i].growth() > 0; ++i)
    text += fmt::format("{}{} ({:.0f} %)", i == 0 ? "" : " and ", all[i].name, 100 * all[i].growth() / grown);
  if (text.empty()) return "; no term takes more of the processors' time";
  return fmt::format("; the largest parts of what processors spend more on a sequence at {} are {}", at,
                     text);
}

std::string verdict(const std::vector<Finding>& findings, std::size_t stopped) {
  const Finding &first = findings.front(), &last = findings.back(), &at = findings[stopped];
  const std::string end =
      fmt::format("{:.0f} % of linear at {:.0f}", 100 * of_linear(first, last), processors(last));
  if (stopped + 1 == findings.size())
    return fmt::format("Strong scaling from {:.0f} processors does not stop up to {:.0f}: {}",
                       processors(first), processors(last), end);
  double most = 0;
  for (std::size_t i = stopped + 1; i < findings.size(); ++i)
    most = std::max(most, findings[i].sample_rate() / at.sample_rate() - 1);
  return fmt::format(
      "Strong scaling from {:.0f} processors stops at {:.0f}: none of the larger counts returns half of what "
      "it "
      "adds (at most {:.1f} % more samples/s; {})",
      processors(first), processors(at), 100 * most, end);
}

}  // namespace

Explanation explain_scaling(const Subject& subject, const std::vector<std::int64_t>& counts) {
  std::vector<Trial> trials;
  for (const std::int64_t count : counts) trials.push_back({{count}, subject.question(count)});
  const std::vector<Finding> all = find_best(trials, subject.threads);
  Explanation explanation{.answer = {},
                          .tables = {table_of("Strong scaling", {{"processors", "", Kind::count}}, all)},
                          .warnings = warnings_of(all)};
  std::vector<Finding> fitting;
  std::ranges::copy_if(all, std::back_inserter(fitting),
                       [](const Finding& of) { return of.best.has_value(); });
  if (fitting.size() < 2) {
    explanation.answer = "It fits on fewer than two of these numbers of processors.";
    explanation.holds = false;
    return explanation;
  }
  const std::size_t stopped = stop(fitting);
  const Finding& beyond = fitting[std::min(stopped + 1, fitting.size() - 1)];
  const std::vector<TermGrowth> grown = growth(fitting.front(), beyond);
  explanation.answer = verdict(fitting, stopped) + because(grown, beyond.trial.question.processors) + ".";
  explanation.tables.push_back(term_table(fitting.front(), beyond, grown));
  return explanation;
}

}  // namespace assay::model
