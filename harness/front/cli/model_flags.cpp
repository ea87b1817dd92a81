// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/model_flags.hpp"

#include "harness/core/error.hpp"
#include "harness/front/cli/file_name.hpp"
#include "model/predict/system_source.hpp"

namespace assay::cli {

model::ReadOptions ModelFlags::options() const {
  if (!coefficients.empty() && model.empty())
    core::usage_error("--coefficients: Calculon's model cannot use them; expected --model assay too");
  if (!coefficients_dtype.empty() && model.empty())
    core::usage_error(
        "--coefficients-dtype: Calculon's model takes no coefficients; expected --model assay too");
  model::ReadOptions options;
  options.coefficients_dtype = coefficients_dtype;
  if (model == "assay") options.model = model::Model::assay;
  for (const std::string& text : coefficients)
    model::add_sections(model::coefficient_file_from(text), options);
  return options;
}

void add_model(CLI::App& app, ModelFlags& flags) {
  CLI::Option* compat =
      app.add_option("--compat", flags.compat, "that tool's formulas, with their known faults")
          ->check(CLI::IsMember({"calculon"}))
          ->capture_default_str();
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
