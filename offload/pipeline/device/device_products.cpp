// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/device/device_products.hpp"

#include "harness/core/error.hpp"

namespace assay::offload {

DeviceProducts::DeviceProducts(const Block& block) : block_(block), workspace_(workload::lt_workspace_bytes) {
  for (const BlockProduct& product : block.products) {
    const workload::Problem& problem = product.problem;
    products_.push_back(std::make_unique<workload::LtMatmul>(problem, workload::LtScales{}, 1));
    if (products_.back()->candidates() == 0)
      throw core::Unsupported(core::ErrorKind::cublas, products_.back()->no_algorithm());
  }
}

void DeviceProducts::enqueue(const BlockPlaces& places, cudaStream_t stream) const {
  for (std::size_t i = 0; i < products_.size(); ++i) {
    const BlockProduct& product = block_.products[i];
    products_[i]->enqueue(
        {.a = places.address(product.a), .b = places.address(product.b), .d = places.address(product.result)},
        workspace_.data(), stream);
  }
}

}  // namespace assay::offload
