// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The products of a linear layer: forward Y = X W^T; backward dX = dY W and dW = dY^T X.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/workload/problem.hpp"

namespace assay::collectives {

struct LayerShape {
  std::int64_t width = 1;  // weights are width x width
  std::int64_t tokens = 1;
  bool backward = false;
};

std::vector<workload::Problem> products_of(const LayerShape& shape, workload::Dtype dtype);
double flops_of(const LayerShape& shape);

}  // namespace assay::collectives
