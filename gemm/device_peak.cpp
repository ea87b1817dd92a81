// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/device_peak.hpp"

#include <fmt/core.h>

namespace assay::gemm {
namespace {

std::optional<double> ampere_80(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp64:
    case Dtype::fp32:
      return 128;
    case Dtype::tf32:
      return 1024;
    case Dtype::bf16:
    case Dtype::fp16:
      return 2048;
    case Dtype::int8:
      return 4096;
    case Dtype::fp8_e4m3:
      break;
  }
  return std::nullopt;
}

std::optional<double> hopper_90(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp64:
    case Dtype::fp32:
      return 256;
    case Dtype::tf32:
      return 2048;
    case Dtype::bf16:
    case Dtype::fp16:
      return 4096;
    case Dtype::fp8_e4m3:
    case Dtype::int8:
      break;
  }
  return 8192;
}

}  // namespace

std::optional<double> flop_per_cycle_per_sm(int compute_major, int compute_minor, Dtype dtype) {
  if (compute_major == 8 && compute_minor == 0) return ampere_80(dtype);
  if (compute_major == 9 && compute_minor == 0) return hopper_90(dtype);
  return std::nullopt;
}

std::string DevicePeak::source(Dtype dtype, int compute_major, int compute_minor) const {
  return fmt::format("{} SMs x {:.0f} FLOP/cycle/SM ({}, sm_{}{}) x {:.0f} MHz ({})", sm_count,
                     flop_per_cycle_per_sm, to_string(dtype), compute_major, compute_minor, clock_mhz,
                     clock_source);
}

}  // namespace assay::gemm
