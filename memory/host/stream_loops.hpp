// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The streaming loops over vectors. stream_INSTRUCTIONS.cpp includes it once, after the pragma that allows
// those instructions (no compiler flag: the rest of the program runs on any x86-64) and after the definitions
// of `Lanes`, a vector of doubles, and of store_past_caches(target, lanes).
#pragma once

namespace assay::memory {
namespace {

constexpr std::size_t lanes = sizeof(Lanes) / sizeof(double);
constexpr std::size_t unrolled = block / lanes;

Lanes load(const double* source) { return *reinterpret_cast<const Lanes*>(source); }

template <Store store>
void put(double* target, Lanes value) {
  if constexpr (store == Store::nontemporal)
    store_past_caches(target, value);
  else
    *reinterpret_cast<Lanes*>(target) = value;
}

template <Formula formula>
Lanes value(Operands part, std::size_t i) {
  const Lanes a = load(part.a + i);
  if constexpr (formula == Formula::copy) return a;
  if constexpr (formula == Formula::scale) return part.scalar * a;
  if constexpr (formula == Formula::add) return a + load(part.b + i);
  if constexpr (formula == Formula::triad) return a + part.scalar * load(part.b + i);
}

template <Formula formula, Store store>
double stream(Operands part) {
  for (std::size_t i = 0; i < part.count; i += block)
#pragma GCC unroll unrolled
    for (std::size_t k = 0; k < block; k += lanes) put<store>(part.c + i + k, value<formula>(part, i + k));
  if constexpr (store == Store::nontemporal) _mm_sfence();  // they wait in buffers that only a fence empties
  return 0;
}

template <Store store>
double write(Operands part) {
  Lanes first = {};
  for (std::size_t lane = 0; lane < lanes; ++lane) first[lane] = part.scalar + static_cast<double>(lane);
  for (std::size_t i = 0; i < part.count; i += block) {
#pragma GCC unroll unrolled
    for (std::size_t k = 0; k < block; k += lanes) put<store>(part.c + i + k, first + static_cast<double>(k));
    first += static_cast<double>(block);
  }
  if constexpr (store == Store::nontemporal) _mm_sfence();
  return 0;
}

double read(Operands part) {
  Lanes sums[8] = {};  // as many as hide the latency of an addition
  for (std::size_t i = 0; i < part.count; i += block)
#pragma GCC unroll unrolled
    for (std::size_t k = 0; k < block; k += lanes) sums[k / lanes % 8] += load(part.a + i + k);
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

constexpr std::array<std::array<Loop, 2>, kernels.size()> loops{
    {{read, read},
     {write<Store::temporal>, write<Store::nontemporal>},
     both<Formula::copy>(),
     both<Formula::scale>(),
     both<Formula::add>(),
     both<Formula::triad>()}};

}  // namespace
}  // namespace assay::memory
