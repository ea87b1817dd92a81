// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Time of products with weights and of attention's batched ones, as `assay fit gemm` fitted it.
#pragma once

#include <string>
#include <vector>

#include "model/fit/laws/gemm_fit.hpp"

namespace assay::model {

struct MeasuredGroup {
  std::string group;  // dtype and layout
  fit::GemmModel model;
};

struct MeasuredProducts : MeasuredGroup {
  std::string path, machine;
  std::vector<MeasuredGroup> attention = {};  // by AttentionProduct; empty where the file lacks either
};

}  // namespace assay::model
