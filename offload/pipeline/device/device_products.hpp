// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The products of one block on a GPU, through cuBLASLt.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "harness/cuda/buffers.hpp"
#include "harness/workload/lt_matmul.hpp"
#include "offload/pipeline/block.hpp"

namespace assay::offload {

class DeviceProducts {
 public:
  /// Describes them to the library, which offers an algorithm for each: its best guess, always the same one.
  /// Throws core::Unsupported where it has none, core::Error where it fails.
  explicit DeviceProducts(const Block& block);

  /// Queues all of them, on places of device memory.
  void enqueue(const BlockPlaces& places, cudaStream_t stream) const;

  /// Algorithm of the first product: "algo 66, tile 20, ...".
  std::string algorithm() const { return products_.front()->name(products_.front()->chosen()); }

 private:
  Block block_;
  cuda::DeviceBuffer workspace_;
  std::vector<std::unique_ptr<workload::LtMatmul>> products_;
};

}  // namespace assay::offload
