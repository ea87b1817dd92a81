// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The flags that say what was measured of a fabric.
#pragma once

#include <CLI/CLI.hpp>

#include "harness/front/answers/fabric/fabric_measured.hpp"

namespace assay::cli {

/// --coefficients, --store, --run, --run-order and --force.
void add_measured(CLI::App& app, answers::MeasuredSource& flags);

}  // namespace assay::cli
