// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cuda_cases.hpp"

#include "harness/cuda/device_site.hpp"
#include "memory/cuda_corruption.hpp"
#include "memory/cuda_driver_copy.hpp"
#include "memory/cuda_latency.hpp"
#include "memory/cuda_pattern.hpp"
#include "memory/cuda_stream.hpp"

namespace assay::memory {

std::vector<core::Case> cuda_cases(const machine::Machine&) {
  using cuda::device_case;
  return {device_case<CudaRead>(),    device_case<CudaWrite>(),   device_case<CudaCopy>(),
          device_case<CudaTriad>(),   device_case<CudaMemset>(),  device_case<CudaCopyEngine>(),
          device_case<CudaLatency>(), device_case<CudaPattern>(), device_case<CudaCorruption>(),
          device_case<CudaSelfTest>()};
}

}  // namespace assay::memory
