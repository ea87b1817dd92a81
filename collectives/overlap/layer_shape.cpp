// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/layer_shape.hpp"

namespace assay::collectives {

std::vector<workload::Problem> products_of(const LayerShape& shape, workload::Dtype dtype) {
  using workload::Pass;
  const std::int64_t t = shape.tokens, w = shape.width;
  if (!shape.backward) return {{.m = t, .n = w, .k = w, .dtype = dtype, .pass = Pass::forward}};
  return {{.m = t, .n = w, .k = w, .dtype = dtype, .pass = Pass::dgrad},
          {.m = w, .n = w, .k = t, .dtype = dtype, .pass = Pass::wgrad}};
}

double flops_of(const LayerShape& shape) {
  double flops = 0;
  for (const workload::Problem& problem : products_of(shape, workload::Dtype::fp32)) flops += problem.flops();
  return flops;
}

}  // namespace assay::collectives
