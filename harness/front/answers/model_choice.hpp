// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The training model that a question is put to, and the measured times that it is given.
#pragma once

#include <string>
#include <vector>

#include "model/predict/answer/prediction.hpp"

namespace assay::answers {

struct ModelChoice {
  std::string compat, model;              // "calculon", "assay"; neither: as the keys of the files say
  std::vector<std::string> coefficients;  // "[TIER=]FILE"
  std::string coefficients_dtype;

  /// Calculon's model where neither was asked for. Throws a usage Error for coefficients that Calculon's
  /// model is to use.
  model::ReadOptions options() const;
};

}  // namespace assay::answers
