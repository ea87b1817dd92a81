// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/model_choice.hpp"

#include "harness/core/error.hpp"
#include "model/predict/answer/system_source.hpp"

namespace assay::answers {

model::ReadOptions ModelChoice::options() const {
  if (!coefficients.empty() && model.empty())
    core::usage_error("--coefficients: Calculon's model cannot use them; expected --model assay too");
  if (!coefficients_dtype.empty() && model.empty())
    core::usage_error(
        "--coefficients-dtype: Calculon's model takes no coefficients; expected --model assay too");
  model::ReadOptions options;
  options.coefficients_dtype = coefficients_dtype;
  if (model == "assay") options.model = model::Model::assay;
  options.by_keys = model.empty() && compat.empty();
  for (const std::string& text : coefficients)
    model::add_sections(model::coefficient_file_from(text), options);
  return options;
}

}  // namespace assay::answers
