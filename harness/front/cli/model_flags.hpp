// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whose training model a command asks, and the measured times that it is given.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "model/predict/prediction.hpp"

namespace assay::cli {

struct ModelFlags {
  std::string compat = "calculon", model;
  std::vector<std::string> coefficients;
  std::string coefficients_dtype;

  /// Throws a usage Error for coefficients that Calculon's model is to use.
  model::ReadOptions options() const;
};

/// --compat, --model, --coefficients and --coefficients-dtype.
void add_model(CLI::App& app, ModelFlags& flags);

}  // namespace assay::cli
