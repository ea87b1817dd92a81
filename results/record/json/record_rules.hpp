// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The schema's rules beyond types, for both readers of lines: a record that breaks one is refused.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "results/record/record.hpp"

namespace assay::results {

/// Whether a point of that status holds measurements: those of a wrong result are kept.
constexpr bool is_measured(Status status) { return status == Status::ok || status == Status::wrong; }

/// False where the key of a point gives one of its axes another value: "gpu=3,bytes=8" and gpu 2.
bool key_agrees(std::string_view key, std::string_view axis, std::string_view value);

/// "gpu=2", the first axis that the key gives another value; empty where there is none. Texts and whole
/// numbers alone: how a fraction is written is not fixed.
std::string axis_denied_by_key(std::string_view key, const Fields& axes);

/// Throws std::runtime_error where an object names a key twice: which of the two counts is stated nowhere,
/// and readers differ. Text that is not JSON passes.
void require_unique_keys(std::string_view json);
/// The error that require_unique_keys() throws for this key.
std::runtime_error key_twice(std::string_view key);

}  // namespace assay::results
