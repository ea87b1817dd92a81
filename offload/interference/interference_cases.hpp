// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The case of the interference matrix: its axes, and which points this machine can run.
#pragma once

#include <optional>
#include <string>

#include "offload/cases.hpp"
#include "offload/interference/contest.hpp"

namespace assay::offload {

/// offload.host.interference.
std::vector<core::Case> interference_cases(const Surroundings& around);

/// Throws a usage Error naming axis and value.
ContestSettings contest_settings(const core::Point& point);

/// Why this machine cannot run it, said before anything is allocated.
std::optional<std::string> cannot_contest(const machine::Machine& machine, const ContestSettings& settings,
                                          std::int64_t available_bytes);

}  // namespace assay::offload
