// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// An operation on device memory that can be enqueued many times: NCCL's own, or assay's algorithm over
// NCCL's sends and receives.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "collectives/measure/runner.hpp"

namespace assay::collectives {

class DeviceOperation {
 public:
  virtual ~DeviceOperation() = default;

  /// Enqueues the operation once on `stream`; every rank does. Device memory, as shape_of() says; of a
  /// barrier, which has none, `output` is one element all the same.
  virtual void enqueue(const std::byte* input, std::byte* output, cudaStream_t stream) = 0;

  virtual std::string function() const = 0;  // "ncclAllGather", "ncclSend and ncclRecv in a group"
  virtual std::vector<core::Fact> facts() const { return {}; }
  virtual std::optional<Runner::Tiers> tiers() const { return std::nullopt; }
};

}  // namespace assay::collectives
