// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/measure/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::core {
namespace {

bool was_followed(const CounterReport& counter) {
  return counter.outcome == CounterReport::Outcome::moved ||
         counter.outcome == CounterReport::Outcome::moved_at_least;
}

}  // namespace

std::string describe(const CounterReport& counter) {
  if (!was_followed(counter)) return counter.counter + (counter.counter.empty() ? "" : " ") + counter.about;
  return fmt::format("{} +{}{}", counter.counter, counter.moved,
                     counter.outcome == CounterReport::Outcome::moved_at_least ? " at least" : "");
}

std::string reasons(const LinkReport& link) {
  std::vector<std::string> texts, blind;
  for (const CounterReport& counter : link.counters)
    if (!was_followed(counter))
      blind.push_back(describe(counter));
    else if (counter.speaks_for != LinkClass::clean)
      texts.push_back(fmt::format("{} ({})", describe(counter), counter.about));
  if (link.link_class == LinkClass::clean) texts.push_back(fmt::format("{} counters watched", link.watched));
  if (link.link_class == LinkClass::unknown && texts.empty() && blind.empty())
    texts.emplace_back("no counter of trouble could be read");
  texts.insert(texts.end(), blind.begin(), blind.end());
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string describe(const LinkReport& link) {
  return fmt::format("{}: {}", to_string(link.link_class), reasons(link));
}

std::string_view to_string(LinkClass link_class) { return words_for(Type<LinkClass>()).of(link_class); }
std::string_view to_string(CounterReport::Outcome outcome) {
  return words_for(Type<CounterReport::Outcome>()).of(outcome);
}
std::string_view to_string(Verification::Result result) {
  return words_for(Type<Verification::Result>()).of(result);
}

std::optional<LinkClass> link_class_from(std::string_view word) {
  return words_for(Type<LinkClass>()).named(word);
}
std::optional<CounterReport::Outcome> counter_outcome_from(std::string_view word) {
  return words_for(Type<CounterReport::Outcome>()).named(word);
}
std::optional<Verification::Result> verification_result_from(std::string_view word) {
  return words_for(Type<Verification::Result>()).named(word);
}

}  // namespace assay::core
