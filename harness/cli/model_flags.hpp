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

  /// Throws a usage Error for coefficients that Calculon's model is to use.
  model::ReadOptions options() const;
};

/// A line each on standard error.
void tell_warnings(const std::vector<std::string>& warnings);

/// --compat, --model and --coefficients.
void add_model(CLI::App& app, ModelFlags& flags);

}  // namespace assay::cli
