// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Register-only arithmetic loops, one per instruction that a GEMM of that type is made of.
#pragma once

#include <cstdint>

namespace assay::gemm {

/// Runs `rounds` rounds on the calling thread; call it only where the CPU has the instruction.
struct PeakLoop {
  const char* feature;      // as machine::Cpu::features names it; checked before the call
  const char* instruction;  // for the record
  double flops_per_round;
  void (*run)(std::int64_t rounds);
  /// Whether this process may run it, where the instruction alone does not say so.
  bool (*allowed)() = [] { return true; };
};

PeakLoop amx_bf16_loop();
PeakLoop amx_int8_loop();

PeakLoop avx512_fp64_loop();
PeakLoop avx512_fp32_loop();
PeakLoop avx512_bf16_loop();
PeakLoop avx512_int8_loop();
PeakLoop avx2_fp64_loop();
PeakLoop avx2_fp32_loop();

}  // namespace assay::gemm
