// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/host/host_peak.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "gemm/host/peak_loops.hpp"
#include "harness/core/seconds_since.hpp"

namespace assay::gemm {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<PeakLoop> loops_for(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp64:
      return {avx512_fp64_loop(), avx2_fp64_loop()};
    case Dtype::fp32:
      return {avx512_fp32_loop(), avx2_fp32_loop()};
    case Dtype::bf16:
      return {amx_bf16_loop(), avx512_bf16_loop()};
    case Dtype::int8:
      return {amx_int8_loop(), avx512_int8_loop()};
    case Dtype::tf32:
    case Dtype::fp16:
    case Dtype::fp8_e4m3:
      break;
  }
  return {};
}

/// Rounds that take the calling thread about a millisecond.
std::int64_t calibrate(const PeakLoop& loop) {
  std::int64_t rounds = 1000;
  for (;; rounds *= 4) {
    const auto start = Clock::now();
    loop.run(rounds);
    const double seconds = core::seconds_since(start);
    if (seconds > 200e-6)
      return std::max<std::int64_t>(1,
                                    static_cast<std::int64_t>(static_cast<double>(rounds) * 1e-3 / seconds));
  }
}

/// Every thread's best of the repetitions, added up. All run at the same time, so clocks are those of the
/// whole team, and a thread that lost its CPU to another process for a while does not spoil the others' best.
double measure_tflops(const PeakLoop& loop, int threads) {
  constexpr int repetitions = 12;
  const std::int64_t rounds = calibrate(loop);
  double flops_per_second = 0;
#pragma omp parallel num_threads(threads) reduction(+ : flops_per_second)
  {
    double best = 1e9;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
#pragma omp barrier
      const auto start = Clock::now();
      loop.run(rounds);
      best = std::min(best, core::seconds_since(start));
    }
    flops_per_second = loop.flops_per_round * static_cast<double>(rounds) / best;
  }
  return flops_per_second * 1e-12;
}

}  // namespace

std::optional<Peak> host_peak(const machine::Cpu& cpu, Dtype dtype, const host::OpenMpSite& site,
                              std::string& why_not) {
  static std::map<std::pair<std::string_view, std::vector<int>>, double> best_tflops;
  for (const PeakLoop& loop : loops_for(dtype)) {
    if (!cpu.has(loop.feature) || !loop.allowed()) continue;
    double& best = best_tflops[{loop.instruction, site.cpus()}];
    best = std::max(best, measure_tflops(loop, site.threads()));
    return Peak{best, fmt::format("measured: register-resident loop ({}, {} threads)", loop.instruction,
                                  site.threads())};
  }
  why_not = fmt::format("not measured: no loop for {} on this CPU", to_string(dtype));
  return std::nullopt;
}

}  // namespace assay::gemm
