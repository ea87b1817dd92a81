// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The streaming loops in AVX-512. Target attributes and not compiler flags: the rest of the program runs on
// any x86-64.
#include <immintrin.h>

#include "memory/stream_kernels.hpp"

namespace assay::memory {
namespace {

using Lanes = __m512d;
constexpr std::size_t lanes = 8;

template <Store store>
[[gnu::target("avx512f"), gnu::always_inline]] inline void put(double* target, Lanes value) {
  if constexpr (store == Store::nontemporal)
    _mm512_stream_pd(target, value);
  else
    _mm512_store_pd(target, value);
}

template <Formula formula>
[[gnu::target("avx512f"), gnu::always_inline]] inline Lanes value(Operands part, std::size_t i,
                                                                  Lanes scalar) {
  const Lanes a = _mm512_load_pd(part.a + i);
  if constexpr (formula == Formula::copy) return a;
  if constexpr (formula == Formula::scale) return scalar * a;
  if constexpr (formula == Formula::add) return a + _mm512_load_pd(part.b + i);
  if constexpr (formula == Formula::triad) return a + scalar * _mm512_load_pd(part.b + i);
}

template <Formula formula, Store store>
[[gnu::target("avx512f")]] double stream(Operands part) {
  const Lanes scalar = _mm512_set1_pd(part.scalar);
  for (std::size_t i = 0; i < part.count; i += block)
#pragma GCC unroll 8
    for (std::size_t k = 0; k < block; k += lanes)
      put<store>(part.c + i + k, value<formula>(part, i + k, scalar));
  if constexpr (store == Store::nontemporal) _mm_sfence();  // they wait in buffers that only a fence empties
  return 0;
}

template <Store store>
[[gnu::target("avx512f")]] double write(Operands part) {
  Lanes first = _mm512_set1_pd(part.scalar) + _mm512_setr_pd(0, 1, 2, 3, 4, 5, 6, 7);
  for (std::size_t i = 0; i < part.count; i += block) {
#pragma GCC unroll 8
    for (std::size_t k = 0; k < block; k += lanes)
      put<store>(part.c + i + k, first + _mm512_set1_pd(static_cast<double>(k)));
    first += _mm512_set1_pd(static_cast<double>(block));
  }
  if constexpr (store == Store::nontemporal) _mm_sfence();  // they wait in buffers that only a fence empties
  return 0;
}

[[gnu::target("avx512f")]] double read(Operands part) {
  Lanes sums[8] = {};  // as many as hide the latency of an addition
  for (std::size_t i = 0; i < part.count; i += block)
#pragma GCC unroll 8
    for (std::size_t k = 0; k < block; k += lanes) sums[k / lanes % 8] += _mm512_load_pd(part.a + i + k);
  for (std::size_t half = 4; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k) sums[k] += sums[k + half];
  double total = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) total += sums[0][lane];
  return total;
}

template <Formula formula>
constexpr std::array<Loop, 2> both() {
  return {stream<formula, Store::temporal>, stream<formula, Store::nontemporal>};
}

}  // namespace

const InstructionSet avx512_loops = {"avx512",
                                     {{{read, read},
                                       {write<Store::temporal>, write<Store::nontemporal>},
                                       both<Formula::copy>(),
                                       both<Formula::scale>(),
                                       both<Formula::add>(),
                                       both<Formula::triad>()}}};

}  // namespace assay::memory
