// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How much one rounding may change a number: what error bounds of products are made of.
#pragma once

#include "gemm/problem.hpp"

namespace assay::gemm {

/// Unit roundoff of one accumulation. Tensor cores align and truncate: half an fp32 digit is allowed for bf16
/// and its kin, and fp8 products are summed with about 14 bits on Hopper (DeepSeek-V3 2024, section 3.3.2).
constexpr double accumulation_unit(Dtype dtype) {
  if (dtype == Dtype::fp64) return 0x1p-53;
  if (dtype == Dtype::fp8_e4m3) return 0x1p-13;
  return dtype == Dtype::fp32 ? 0x1p-24 : 0x1p-23;
}

/// Unit roundoff of a result written.
constexpr double output_unit(OutputType type) {
  switch (type) {
    case OutputType::fp64:
      return 0x1p-53;
    case OutputType::fp32:
      return 0x1p-24;
    case OutputType::fp16:
      return 0x1p-11;
    case OutputType::bf16:
      return 0x1p-8;  // 8 bits; nearest would be 2^-9, truncation is allowed
    case OutputType::int32:
      break;
  }
  return 0;
}

}  // namespace assay::gemm
