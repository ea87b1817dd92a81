// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/tests/published.hpp"

namespace assay::model {
namespace {

Staircase staircase(double peak, std::vector<Staircase::Step> efficiency) {
  for (Staircase::Step& step : efficiency) step.seconds_per_unit = 1 / (peak * step.seconds_per_unit);
  return Staircase(std::move(efficiency));
}

Engine matrix(double peak) {
  return {peak, staircase(peak, {{128e9, 0.95}, {16e9, 0.9}, {1e9, 0.6}, {0, 0.1}})};
}
Engine vector(double peak) { return {peak, staircase(peak, {{16e9, 0.95}, {1e9, 0.5}, {0, 0.1}})}; }

}  // namespace

Application gpt_175b() {
  return {.hidden = 12288,
          .feedforward = 49152,
          .seq_size = 2048,
          .attn_heads = 96,
          .attn_size = 128,
          .num_blocks = 96};
}

Application megatron_1t() {
  return {.hidden = 25600,
          .feedforward = 102400,
          .seq_size = 2048,
          .attn_heads = 160,
          .attn_size = 160,
          .num_blocks = 128};
}

System h100_nvl8(double mem2_gib) {
  constexpr double gibi = 1024.0 * 1024 * 1024;
  System s;
  s.matrix[0] = matrix(2e15);
  s.matrix[1] = matrix(1e15);
  s.vector[0] = s.vector[1] = vector(1.2e14);
  const double mem2_b_per_s = mem2_gib > 0 ? 4.5e11 : 1e9;
  s.mem1 = {80 * gibi, 3.072e12, staircase(3.072e12, {{100e6, 0.9}, {10e6, 0.75}, {1e6, 0.6}, {0, 0.3}})};
  s.mem2 = {mem2_gib * gibi, mem2_b_per_s,
            staircase(mem2_b_per_s, {{100e6, 0.95}, {10e6, 0.9}, {1e6, 0.7}, {0, 0.3}})};
  s.networks = {{.bandwidth_b_per_s = 450e9 * 0.65,
                 .size = 8,
                 .latency_s = 1e-5,
                 .processor_usage = 0.15,
                 .must_be_filled = true,
                 .operations = {{{1, 0}, {1, 0}, {1, 0}, {1, 1}}}},
                {.bandwidth_b_per_s = 50e9 * 0.9,
                 .size = 65536,
                 .latency_s = 2e-5,
                 .processor_usage = 0.02,
                 .must_be_filled = false,
                 .operations = {{{1, 0}, {1, 0}, {1, 0}, {1, 0}}}}};
  return s;
}

Question question(const Application& application, const System& system, std::int64_t processors,
                  std::int64_t max_batch) {
  return {.application = application, .system = system, .processors = processors, .max_batch = max_batch};
}

}  // namespace assay::model
