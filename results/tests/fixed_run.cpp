// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/fixed_run.hpp"

#include <algorithm>

#include "results/tests/byte_sizes.hpp"
#include "results/tests/fixed_collectives.hpp"
#include "results/tests/fixed_fabric.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::results::test {
namespace {

double bandwidth_at(std::int64_t bytes, std::int64_t threads) {
  const double per_core = bytes <= 2 * mib * threads ? 60 : bytes <= 120 * mib ? 25 : 9;
  return std::min(per_core * static_cast<double>(threads), bytes <= 120 * mib ? 1500.0 : 310.0);
}

void add_bandwidth(RunBuilder& builder) {
  const std::pair<const char*, double> kernels[] = {
      {"read", 1.1}, {"write", 0.7}, {"copy", 0.9}, {"triad", 0.95}};
  for (const auto& [kernel, factor] : kernels)
    for (const std::int64_t threads : {1, 64})
      for (std::int64_t bytes = mib; bytes <= gib; bytes *= 4) {
        auto record =
            builder.point(std::string("memory.host.") + kernel,
                          {{"bytes", bytes}, {"threads", threads}, {"store", "temporal"}, {"pages", "base"}});
        record.work_bytes = static_cast<double>(bytes);
        record.bytes_counted = "read + write";
        const double rate = bandwidth_at(bytes, threads) * factor;
        builder.measured(record, static_cast<double>(bytes) / rate * 1e-9,
                         {"bandwidth_gb_per_s", "GB/s",
                          [bytes](double s) { return static_cast<double>(bytes) / s * 1e-9; }});
      }
  builder.not_measured(builder.point("memory.host.scale", {{"bytes", gib}, {"threads", std::int64_t{64}}}),
                       Status::failed, "cannot allocate 1073741824 bytes on node 1: Cannot allocate memory");
  builder.not_measured(builder.point("memory.cuda.copy", {{"bytes", gib}}), Status::unsupported,
                       "no CUDA-capable device is detected");
}

void add_latency(RunBuilder& builder) {
  for (const auto* pages : {"base", "transparent"})
    for (std::int64_t bytes = 16 * kib; bytes <= gib; bytes *= 2) {
      const bool is_base = std::string(pages) == "base";
      const double ns = bytes <= 48 * kib   ? 1.3
                        : bytes <= 2 * mib  ? 4.2
                        : bytes <= 60 * mib ? 28
                        : is_base           ? 131
                                            : 104;
      builder.measured(
          builder.point("memory.host.latency", {{"bytes", bytes}, {"pages", std::string(pages)}}), ns * 1e-9,
          {"latency_ns", "ns", [](double s) { return s * 1e9; }});
    }
}

void add_transformer(RunBuilder& builder, const std::string& pass) {
  const std::pair<const char*, double> layers[] = {
      {"qkv", 2.5e10}, {"attention_output", 1.7e10}, {"up_gate", 1.2e11}, {"down", 6.0e10}};
  for (std::int64_t tp = 1; tp <= 8; tp *= 2)
    for (const auto& [layer, flops] : layers) {
      auto record = builder.point("gemm.host.transformer", {{"model", "llama3-8b"},
                                                            {"tokens", std::int64_t{512}},
                                                            {"tp", tp},
                                                            {"gemm", std::string(layer)},
                                                            {"pass", pass},
                                                            {"dtype", "bf16"}});
      record.work_flops = flops / static_cast<double>(tp);
      if (tp == 8 && pass == "wgrad" && std::string(layer) == "down") {
        builder.not_measured(record, Status::timeout, "no result within 60 s");
        continue;
      }
      const double efficiency =
          (pass == "wgrad" ? 0.72 : 0.81) - 0.03 * static_cast<double>(tp) - (flops < 3e10 ? 0.08 : 0);
      const double work = record.work_flops;
      builder.measured(record, work / (efficiency * peak_tflops * 1e12),
                       {"tflops", "TFLOP/s", [work](double s) { return work / s * 1e-12; }});
    }
}

void add_matmul(RunBuilder& builder) {
  const std::pair<const char*, double> dtypes[] = {{"fp64", 0.21}, {"fp32", 0.42}, {"bf16", 0.88}};
  for (const auto& [dtype, efficiency] : dtypes)
    for (const std::int64_t size : {1024, 4096}) {
      auto record = builder.point("gemm.host.matmul",
                                  {{"m", size}, {"n", size}, {"k", size}, {"dtype", std::string(dtype)}});
      record.work_flops =
          2.0 * static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(size);
      const double work = record.work_flops;
      builder.measured(record, work / (efficiency * peak_tflops * 1e12),
                       {"tflops", "TFLOP/s", [work](double s) { return work / s * 1e-12; }});
    }
}

}  // namespace

std::vector<Record> fixed_run(const std::string& run_id) {
  RunBuilder builder(run_id);
  builder.begin(0, "memory");
  add_bandwidth(builder);
  add_latency(builder);
  builder.end();
  builder.begin(1, "gemm");
  for (const auto* pass : {"forward", "dgrad", "wgrad"}) add_transformer(builder, pass);
  add_matmul(builder);
  builder.end();
  builder.begin(2, "rdma");
  add_fabric(builder);
  builder.end();
  builder.begin(3, "collectives");
  add_collectives(builder);
  builder.end();
  return builder.take();
}

}  // namespace assay::results::test
