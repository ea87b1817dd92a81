// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A process that a launcher started as another rank than 0: what it does, and how it ends.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace assay::team {

/// Runs `follow` with this process's rank, and returns the exit code to end with; nothing where this process
/// leads, or no launcher is. What `follow` throws becomes one line on standard error that begins with
/// `program`.
std::optional<int> as_launched_follower(const std::string& program, const std::function<void(int)>& follow);

}  // namespace assay::team
