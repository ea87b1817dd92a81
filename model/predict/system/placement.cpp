// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/system/placement.hpp"

#include <algorithm>

namespace assay::model {

Placement::Placement(const Execution& e)
    : digits_{{{1, e.tensor_par}, {1, e.expert_par}, {1, e.pipeline_par}, {1, e.expert_copies()}}},
      nets_{e.tensor_par_net, e.expert_par_net, e.pipeline_par_net, e.data_par_net} {
  std::int64_t stride = 1;
  const std::size_t outermost = *std::ranges::max_element(nets_);
  for (std::size_t net = 0; net <= outermost; ++net)
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
      if (nets_[dimension] != net) continue;
      digits_[dimension].stride = stride;
      stride *= digits_[dimension].size;
    }
}

}  // namespace assay::model
