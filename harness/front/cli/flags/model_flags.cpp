// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/flags/model_flags.hpp"

#include "harness/front/cli/flags/file_name.hpp"

namespace assay::cli {

void add_model(CLI::App& app, ModelFlags& flags) {
  CLI::Option* compat =
      app.add_option("--compat", flags.compat, "that tool's formulas, with their known faults")
          ->check(CLI::IsMember({"calculon"}))
          ->default_str("calculon");
  app.add_option("--model", flags.model, "faults fixed, more keys, measured times")
      ->check(CLI::IsMember({"assay"}))
      ->excludes(compat);
  add_file(app, "--coefficients", flags.coefficients,
           "file of assay fit, of network TIER (0) where it is of one; may be repeated", "[TIER=]FILE")
      ->allow_extra_args(false);
  app.add_option("--coefficients-dtype", flags.coefficients_dtype,
                 "use the coefficients of this dtype instead of the execution's")
      ->type_name("DTYPE");
}

}  // namespace assay::cli
