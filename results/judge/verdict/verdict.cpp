// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/verdict/verdict.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "harness/core/process/exit_code.hpp"

namespace assay::results {
namespace {

struct ActionText {
  std::string_view word, imperative;
};

/// In the order of the enumeration.
constexpr std::array<ActionText, 10> action_texts{{
    {"none", ""},
    {"retest", "measure again"},
    {"monitor", "watch it; compare with the next check"},
    {"configure", "correct the configuration"},
    {"restart_application", "restart the application"},
    {"reset", "drain, reset the GPU, check again"},
    {"reboot", "drain and reboot the node; if it comes back, replace"},
    {"reseat", "drain, reseat the card or cable, check again"},
    {"drain", "take the node out of service and investigate"},
    {"replace", "take it out of service and replace it (RMA)"},
}};

}  // namespace

std::string_view to_string(Verdict verdict) {
  constexpr std::array words{"PASS", "DEGRADED", "NOT_RUN", "INCONCLUSIVE", "FAIL"};
  return words[static_cast<std::size_t>(verdict)];
}

std::optional<Verdict> verdict_named(std::string_view word) {
  const auto found =
      std::ranges::find(every_verdict, word, [](Verdict verdict) { return to_string(verdict); });
  if (found == every_verdict.end()) return std::nullopt;
  return *found;
}

int exit_code_of(Verdict verdict) {
  if (is_fit(verdict)) return core::exit_code::pass;
  return verdict == Verdict::fail ? core::exit_code::fail : core::exit_code::inconclusive;
}

std::string_view to_string(Action action) { return action_texts[static_cast<std::size_t>(action)].word; }

std::string_view to_string(const std::optional<Action>& action) { return action ? to_string(*action) : ""; }

std::string_view imperative(Action action) {
  return action_texts[static_cast<std::size_t>(action)].imperative;
}

std::optional<Action> action_named(std::string_view word) {
  const auto found = std::ranges::find(action_texts, word, &ActionText::word);
  if (found == action_texts.end()) return std::nullopt;
  return static_cast<Action>(found - action_texts.begin());
}

Action action_of(Verdict verdict) {
  if (is_fit(verdict)) return verdict == Verdict::pass ? Action::none : Action::monitor;
  return verdict == Verdict::fail ? Action::drain : Action::retest;
}

}  // namespace assay::results
