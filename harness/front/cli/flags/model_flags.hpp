// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The training model that a command asks, and the measured times that it is given.
#pragma once

#include <CLI/CLI.hpp>

#include "harness/front/answers/model_choice.hpp"

namespace assay::cli {

using ModelFlags = answers::ModelChoice;

/// --compat, --model, --coefficients and --coefficients-dtype.
void add_model(CLI::App& app, ModelFlags& flags);

}  // namespace assay::cli
