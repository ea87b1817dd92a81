// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Elements of an output as their bits, on the device.
#pragma once

#include <cstdint>

#include "gemm/problem.hpp"

namespace assay::gemm {

__device__ inline std::uint64_t load(const void* output, std::int64_t position, OutputType type) {
  switch (type) {
    case OutputType::fp64:
      return static_cast<const std::uint64_t*>(output)[position];
    case OutputType::fp32:
    case OutputType::int32:
      return static_cast<const std::uint32_t*>(output)[position];
    case OutputType::bf16:
    case OutputType::fp16:
      break;
  }
  return static_cast<const std::uint16_t*>(output)[position];
}

__device__ inline void store(void* output, std::int64_t position, OutputType type, std::uint64_t bits) {
  switch (type) {
    case OutputType::fp64:
      static_cast<std::uint64_t*>(output)[position] = bits;
      return;
    case OutputType::fp32:
    case OutputType::int32:
      static_cast<std::uint32_t*>(output)[position] = static_cast<std::uint32_t>(bits);
      return;
    case OutputType::bf16:
    case OutputType::fp16:
      break;
  }
  static_cast<std::uint16_t*>(output)[position] = static_cast<std::uint16_t>(bits);
}

}  // namespace assay::gemm
