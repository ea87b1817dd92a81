// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The layers of a pass as products by cuBLASLt: bf16 operands in device memory, each layer with its own.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/overlap/layer_shape.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

class DeviceProduct;

class DeviceLayers {
 public:
  /// Computes each product once, alone, on the current device. Throws core::Unsupported where cuBLASLt has no
  /// algorithm; core::Error (cuda, cublas) where memory is short, it fails, or a result is wrong.
  DeviceLayers(const LayerShape& shape, int layers);
  ~DeviceLayers();
  DeviceLayers(const DeviceLayers&) = delete;
  DeviceLayers& operator=(const DeviceLayers&) = delete;

  void enqueue(int layer, cudaStream_t stream) const;
  /// Overwrites every layer's results with what is not a number. Waits.
  void spoil();
  /// Names a layer whose result is not what it was alone; nothing where all are.
  std::optional<std::string> wrong() const;
  std::vector<core::Fact> facts() const;

 private:
  std::vector<std::unique_ptr<DeviceProduct>> products_;  // of a layer
};

/// Why this process has no cuBLASLt.
std::optional<std::string> why_no_device_layers();

}  // namespace assay::collectives
