// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A linear layer's fp32 products on one CPU thread: forward Y = X W^T; backward dX = dY W and dW = dY^T X.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "collectives/overlap/overlapped_pass.hpp"

namespace assay::collectives {

struct LayerShape {
  std::int64_t width = 1;  // weights are width x width
  std::int64_t tokens = 1;
  bool backward = false;
};

double flops_of(const LayerShape& shape);
/// Why this build or CPU has no such products.
std::optional<std::string> why_no_products(const LayerShape& shape);
std::unique_ptr<LayerWork> make_layer_products(const LayerShape& shape);

}  // namespace assay::collectives
