// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/history/history_story.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "results/judge/verdict/verdicts.hpp"
#include "results/store/doubts/context_changes.hpp"

namespace assay::results {
namespace {

constexpr std::size_t most_changes_named = 4;

std::string named(const std::vector<std::string>& differences) {
  const std::size_t shown = std::min(differences.size(), most_changes_named);
  std::string text = fmt::format("{}", fmt::join(std::span(differences).first(shown), ", "));
  if (shown < differences.size()) text += fmt::format(" and {} more", differences.size() - shown);
  return text;
}

}  // namespace

double percent_of_shift(double log) { return 100 * std::expm1(log); }

Number percent_of_shift(const ChangePoint& change) {
  return {percent_of_shift(change.shift), percent_of_shift(change.lower), percent_of_shift(change.upper)};
}

std::size_t HistoryStory::reference(double margin) const {
  const std::vector<ChangePoint>& since = history_.since;
  auto part = std::ranges::max_element(since, {}, &ChangePoint::lower);
  if (part->lower <= margin) part = std::ranges::max_element(since, {}, &ChangePoint::upper);
  return static_cast<std::size_t>(part - since.begin());
}

Rise HistoryStory::rise_since(std::size_t part) const {
  const auto changes = std::span(history_.changes).subspan(part);
  const ChangePoint& cause = *std::ranges::max_element(changes, {}, &ChangePoint::shift);
  const Number value = percent_of_shift(history_.since[part]);
  Rise rise{
      .because = fmt::format("{:.2f} % slower ({:.2f} to {:.2f} %)", value.value, *value.lower, *value.upper),
      .evidence = differences_at(cause)};
  if (changes.size() > 1)
    rise.because +=
        fmt::format(" than before run {}, in {} steps, of which the largest is {:.2f} %",
                    run_at(changes.front()).run_id, changes.size(), percent_of_shift(cause.shift));
  rise.has_recorded_cause = !rise.evidence.empty();
  rise.because += fmt::format(" from run {} ({}) on, after {} runs; {}{}", run_at(cause).run_id,
                              run_at(cause).started, cause.at,
                              rise.has_recorded_cause ? "then changed: " + named(rise.evidence)
                                                      : "no recorded difference from the run before",
                              origin_mark({series_.origin}));
  rise.evidence.insert(
      rise.evidence.begin(),
      fmt::format("the last run before it: {} ({})", run_before(cause).run_id, run_before(cause).started));
  for (const ChangePoint& other : changes)
    if (other.at != cause.at) rise.evidence.push_back(other_change(other));
  return rise;
}

std::string HistoryStory::other_change(const ChangePoint& change) const {
  const std::vector<std::string> differences = differences_at(change);
  return fmt::format("another change: {:+.2f} % from run {} ({}) on{}", percent_of_shift(change.shift),
                     run_at(change).run_id, run_at(change).started,
                     differences.empty() ? "" : "; " + named(differences));
}

std::string HistoryStory::undone(double margin) const {
  for (std::size_t at = 0; at < history_.changes.size(); ++at) {
    if (!(history_.changes[at].lower > margin)) continue;
    double shift = history_.changes[at].shift;
    for (std::size_t later = at + 1; later < history_.changes.size(); ++later)
      if ((shift += history_.changes[later].shift) <= margin)
        return fmt::format("; slower for a time: {:.2f} % from run {} on, undone from run {} on",
                           percent_of_shift(history_.changes[at].shift), run_at(history_.changes[at]).run_id,
                           run_at(history_.changes[later]).run_id);
  }
  return "";
}

std::vector<std::string> HistoryStory::differences_at(const ChangePoint& change) const {
  return changes_between(run_before(change).context, run_at(change).context);
}

}  // namespace assay::results
