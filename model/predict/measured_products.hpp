// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Time of products with weights, as `assay fit gemm` fitted it.
#pragma once

#include <string>

#include "model/fit/gemm_fit.hpp"

namespace assay::model {

struct MeasuredProducts {
  std::string path, machine;
  std::string group;  // dtype and layout
  fit::GemmModel model;
};

}  // namespace assay::model
