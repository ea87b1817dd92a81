// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every case with its axes and what it measures, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "harness/core/benchmark.hpp"

namespace assay::run {

/// `format`: text, json or names.
std::string list_cases(const std::vector<core::Case>& cases, const std::string& format);

}  // namespace assay::run
