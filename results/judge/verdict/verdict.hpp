// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The verdict and the action of every judge, health checks included, and their words.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace assay::results {

/// In order of gravity. DEGRADED is a pass with something to be watched.
enum class Verdict { pass, degraded, not_run, inconclusive, fail };
inline constexpr std::array every_verdict{Verdict::pass, Verdict::degraded, Verdict::not_run,
                                          Verdict::inconclusive, Verdict::fail};
/// "0 PASS, 1 DEGRADED, ...": the numbers in metrics.
inline constexpr std::string_view verdict_codes = "0 PASS, 1 DEGRADED, 2 NOT_RUN, 3 INCONCLUSIVE, 4 FAIL";

enum class Action {
  none,
  retest,
  monitor,
  configure,
  restart_application,
  reset,
  reboot,
  reseat,
  drain,
  replace
};

/// "PASS", "DEGRADED", "NOT_RUN", "INCONCLUSIVE", "FAIL".
std::string_view to_string(Verdict verdict);
/// Nothing for a word that is not one of a verdict.
std::optional<Verdict> verdict_named(std::string_view word);
/// PASS or DEGRADED: what was judged may serve.
constexpr bool is_fit(Verdict verdict) { return verdict <= Verdict::degraded; }
/// The exit code of harness/core/process/exit_code.hpp: 0 where fit, 1 fail, 3 else.
int exit_code_of(Verdict verdict);

/// The word in files: "reset".
std::string_view to_string(Action action);
/// "" where no action is known.
std::string_view to_string(const std::optional<Action>& action);
/// As an imperative: "reset the GPU ...".
std::string_view imperative(Action action);
/// Nothing for a word that is not one of an action.
std::optional<Action> action_named(std::string_view word);
/// The action where nothing else is known: drain what fails, retest what is open, watch what is degraded,
/// none for a pass.
Action action_of(Verdict verdict);

}  // namespace assay::results
