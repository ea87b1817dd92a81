// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Twelve independent chains cover latency times throughput of the cores known (4 cycles x 2 a cycle for FMA,
// 5 or 6 for dot products), and fit the registers together with two operands, even the sixteen of AVX2.
#include "gemm/host/peak_loops.hpp"

#include <immintrin.h>

namespace assay::gemm {
namespace {

constexpr int chains = 12;

__attribute__((target("avx512f"))) void fma_fp64_512(std::int64_t rounds) {
  __m512d x = _mm512_set1_pd(1e-3), y = x;
  __m512d sums[chains];
  for (__m512d& sum : sums) sum = _mm512_set1_pd(1.0);
  for (std::int64_t round = 0; round < rounds; ++round) {
    asm volatile("" : "+v"(x), "+v"(y));  // the operands may have changed: nothing is hoisted
#pragma GCC unroll 12
    for (int i = 0; i < chains; ++i) sums[i] = _mm512_fmadd_pd(x, y, sums[i]);
  }
  for (__m512d& sum : sums) asm volatile("" : "+v"(sum));
}

__attribute__((target("avx512f"))) void fma_fp32_512(std::int64_t rounds) {
  __m512 x = _mm512_set1_ps(1e-3F), y = x;
  __m512 sums[chains];
  for (__m512& sum : sums) sum = _mm512_set1_ps(1.0F);
  for (std::int64_t round = 0; round < rounds; ++round) {
    asm volatile("" : "+v"(x), "+v"(y));  // the operands may have changed: nothing is hoisted
#pragma GCC unroll 12
    for (int i = 0; i < chains; ++i) sums[i] = _mm512_fmadd_ps(x, y, sums[i]);
  }
  for (__m512& sum : sums) asm volatile("" : "+v"(sum));
}

__attribute__((target("avx512f,avx512bf16"))) void dot_bf16_512(std::int64_t rounds) {
  __m512bh x = reinterpret_cast<__m512bh>(_mm512_set1_epi16(0x3a83)), y = x;
  __m512 sums[chains];
  for (__m512& sum : sums) sum = _mm512_set1_ps(1.0F);
  for (std::int64_t round = 0; round < rounds; ++round) {
    asm volatile("" : "+v"(x), "+v"(y));  // the operands may have changed: nothing is hoisted
#pragma GCC unroll 12
    for (int i = 0; i < chains; ++i) sums[i] = _mm512_dpbf16_ps(sums[i], x, y);
  }
  for (__m512& sum : sums) asm volatile("" : "+v"(sum));
}

__attribute__((target("avx512f,avx512vnni"))) void dot_int8_512(std::int64_t rounds) {
  __m512i x = _mm512_set1_epi8(1), y = x;
  __m512i sums[chains];
  for (__m512i& sum : sums) sum = _mm512_set1_epi32(1);
  for (std::int64_t round = 0; round < rounds; ++round) {
    asm volatile("" : "+v"(x), "+v"(y));  // the operands may have changed: nothing is hoisted
#pragma GCC unroll 12
    for (int i = 0; i < chains; ++i) sums[i] = _mm512_dpbusd_epi32(sums[i], x, y);
  }
  for (__m512i& sum : sums) asm volatile("" : "+v"(sum));
}

__attribute__((target("avx2,fma"))) void fma_fp64_256(std::int64_t rounds) {
  __m256d x = _mm256_set1_pd(1e-3), y = x;
  __m256d sums[chains];
  for (__m256d& sum : sums) sum = _mm256_set1_pd(1.0);
  for (std::int64_t round = 0; round < rounds; ++round) {
    asm volatile("" : "+x"(x), "+x"(y));  // the operands may have changed: nothing is hoisted
#pragma GCC unroll 12
    for (int i = 0; i < chains; ++i) sums[i] = _mm256_fmadd_pd(x, y, sums[i]);
  }
  for (__m256d& sum : sums) asm volatile("" : "+x"(sum));
}

__attribute__((target("avx2,fma"))) void fma_fp32_256(std::int64_t rounds) {
  __m256 x = _mm256_set1_ps(1e-3F), y = x;
  __m256 sums[chains];
  for (__m256& sum : sums) sum = _mm256_set1_ps(1.0F);
  for (std::int64_t round = 0; round < rounds; ++round) {
    asm volatile("" : "+x"(x), "+x"(y));  // the operands may have changed: nothing is hoisted
#pragma GCC unroll 12
    for (int i = 0; i < chains; ++i) sums[i] = _mm256_fmadd_ps(x, y, sums[i]);
  }
  for (__m256& sum : sums) asm volatile("" : "+x"(sum));
}

/// FLOPs of a round: chains x lanes x operations per lane.
constexpr double per_round(int lanes, int operations) {
  return static_cast<double>(chains * lanes * operations);
}

}  // namespace

PeakLoop avx512_fp64_loop() { return {"avx512f", "vfmadd, 512 bit fp64", per_round(8, 2), fma_fp64_512}; }
PeakLoop avx512_fp32_loop() { return {"avx512f", "vfmadd, 512 bit fp32", per_round(16, 2), fma_fp32_512}; }
PeakLoop avx512_bf16_loop() { return {"avx512_bf16", "vdpbf16ps, 512 bit", per_round(16, 4), dot_bf16_512}; }
PeakLoop avx512_int8_loop() { return {"avx512_vnni", "vpdpbusd, 512 bit", per_round(16, 8), dot_int8_512}; }
PeakLoop avx2_fp64_loop() { return {"avx2", "vfmadd, 256 bit fp64", per_round(4, 2), fma_fp64_256}; }
PeakLoop avx2_fp32_loop() { return {"avx2", "vfmadd, 256 bit fp32", per_round(8, 2), fma_fp32_256}; }

}  // namespace assay::gemm
