// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The figures of a simulated GPU. Those with a source are published of the H100 SXM5 80 GB; the others are
// the simulation's own, chosen and not measured. None says anything of a real GPU.
#pragma once

#include <cstdint>

namespace assay::core::simulated::h100 {

// NVIDIA H100 Tensor Core GPU data sheet: dense peaks, memory, NVLink, power.
inline constexpr double bf16_flop_per_s = 989.4e12, fp16_flop_per_s = 989.4e12, fp8_flop_per_s = 1978.9e12,
                        int8_op_per_s = 1978.9e12, tf32_flop_per_s = 494.7e12, fp32_flop_per_s = 66.9e12,
                        fp64_flop_per_s = 66.9e12;
inline constexpr double memory_bytes_per_s = 3.35e12;
inline constexpr int nvlinks = 18;                   // 900 GB/s both ways
inline constexpr double nvlink_bytes_per_s = 450e9;  // one way
inline constexpr double pcie_bytes_per_s = 64e9;     // one way: 16 lanes of generation 5
inline constexpr double power_limit_w = 700;
// nvidia-smi c2c -s of a GH200: each of ten links to the CPU, one way.
inline constexpr unsigned c2c_mb_per_s = 44712;
// NVIDIA H100 Tensor Core GPU Architecture (white paper, 2022): the clock of the peaks above, by 132 SMs.
inline constexpr double peak_clock_mhz = 1830;
inline constexpr unsigned multiprocessors = 132, lanes_per_multiprocessor = 128, memory_bus_bits = 5120;
// nvidia-smi -q of that board: highest clocks.
inline constexpr unsigned highest_clock_mhz = 1980, memory_clock_mhz = 2619;
inline constexpr std::uint64_t memory_bytes = 85'520'809'984;

// The simulation's own.
inline constexpr double launch_s = 2.5e-6, memory_latency_ns = 330;
inline constexpr double best_efficiency = 0.8;  // of a large product
inline constexpr double half_of_k = 256;        // a product with this k runs at half of that
inline constexpr unsigned tile = 128;
inline constexpr double loaded_clock_mhz = 1755, throttled_clock_mhz = 1200, idle_clock_mhz = 345;
inline constexpr double loaded_power_w = 640, throttled_power_w = 410, idle_power_w = 75;
inline constexpr double loaded_c = 62, throttled_c = 88, idle_c = 34;
inline constexpr double spread_of_gpus = 0.003, spread_of_runs = 0.001;  // relative standard deviations

}  // namespace assay::core::simulated::h100
