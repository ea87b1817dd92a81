// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The context record: the conditions every point of this process shares.
#pragma once

#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/plan/plan.hpp"
#include "results/record/record.hpp"

namespace assay::run {

/// Versions, machine, plan, and the environment variables that change what libraries do.
results::ContextRecord context_of(const std::string& module, const machine::Machine& machine,
                                  const plan::Plan& plan, const std::vector<std::string>& command_line);

/// The environment variables worth a record, from a list of "NAME=value".
nlohmann::ordered_json telling_environment(const char* const* environment);

}  // namespace assay::run
