// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/model_flags.hpp"

#include "harness/core/error.hpp"
#include "harness/front/cli/file_name.hpp"

namespace assay::cli {

model::ReadOptions ModelFlags::options() const {
  if (!coefficients.empty() && model.empty())
    core::usage_error("--coefficients: Calculon's model cannot use them; expected --model assay beside it");
  if (!coefficients_dtype.empty() && model.empty())
    core::usage_error(
        "--coefficients-dtype: Calculon's model takes no coefficients; expected --model assay beside it");
  model::ReadOptions options;
  options.coefficients_dtype = coefficients_dtype;
  if (model == "assay") options.model = model::Model::assay;
  for (const std::string& text : coefficients)
    options.coefficients.push_back(model::coefficient_file_from(text));
  return options;
}

void add_model(CLI::App& app, ModelFlags& flags) {
  CLI::Option* compat = app.add_option("--compat", flags.compat, "whose formulas, with their known faults")
                            ->check(CLI::IsMember({"calculon"}))
                            ->capture_default_str();
  app.add_option("--model", flags.model, "those faults mended, more keys known, measured times taken")
      ->check(CLI::IsMember({"assay"}))
      ->excludes(compat);
  app.add_option("--coefficients", flags.coefficients,
                 "of assay fit: products, or collectives of network 0 or TIER; may be repeated")
      ->check(file_name())
      ->type_name("[TIER=]FILE")
      ->check(file_name())
      ->allow_extra_args(false);
  app.add_option("--coefficients-dtype", flags.coefficients_dtype,
                 "price by the coefficients of this dtype, whatever the execution's is")
      ->type_name("DTYPE");
}

}  // namespace assay::cli
