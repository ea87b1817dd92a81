// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The verdict and the action of every judge, health checks included, and their words.
#pragma once

#include <optional>
#include <string_view>

namespace assay::results {

/// In order of gravity.
enum class Verdict { pass, not_run, inconclusive, fail };

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

/// "PASS", "FAIL", "INCONCLUSIVE", "NOT_RUN".
std::string_view to_string(Verdict verdict);
/// The exit code of harness/core/process/exit_code.hpp: 0 pass, 1 fail, 3 else.
int exit_code_of(Verdict verdict);

/// The word in files: "reset".
std::string_view to_string(Action action);
/// "" where no action is known.
std::string_view to_string(const std::optional<Action>& action);
/// As an imperative: "reset the GPU ...".
std::string_view imperative(Action action);
/// Nothing for a word that is not one of an action.
std::optional<Action> action_named(std::string_view word);
/// The action where nothing else is known: drain what fails, retest what is open, none for a pass.
Action action_of(Verdict verdict);

}  // namespace assay::results
