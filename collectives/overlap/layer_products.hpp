// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A layer's fp32 products on one CPU thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "collectives/overlap/layer_shape.hpp"
#include "collectives/overlap/overlapped_pass.hpp"

namespace assay::collectives {

/// The library that this build lacks for them.
std::optional<std::string> products_not_built();
/// Why this CPU has no such products.
std::optional<std::string> why_no_products(const LayerShape& shape);
std::unique_ptr<LayerWork> make_layer_products(const LayerShape& shape);

}  // namespace assay::collectives
