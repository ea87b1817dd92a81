// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every case with its axes, what it measures and what this build lacks for it, for people and for programs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"

namespace assay::run {

/// `format`: text, json or names. Numbers begin with 1, in text and JSON.
std::string list_cases(const std::vector<core::Case>& cases, const std::string& format);

/// Its name. Throws a usage Error for a number that the list does not have.
const std::string& case_numbered(const std::vector<core::Case>& cases, std::size_t number);

}  // namespace assay::run
