// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Everything that a model takes from runs, in one file.
#pragma once

#include <string>

#include "harness/front/cli/fit_kinds.hpp"
#include "harness/front/cli/fit_source.hpp"

namespace assay::cli {

/// Fits every kind that the runs have, and describes the system that they measured. A kind without rows, or
/// with rows that its fit cannot use, is named in `not_measured` of the file and on standard output. Throws a
/// usage error where no kind is left. Returns the exit code.
int fit_all(const FitSource& source, const FitChoices& choices, const std::string& output);

}  // namespace assay::cli
