// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/fixed_run.hpp"

#include <algorithm>
#include <cmath>

namespace assay::results::test {
namespace {

constexpr std::int64_t kib = 1024, mib = 1024 * kib, gib = 1024 * mib;
constexpr double peak_tflops = 3.2;

nlohmann::ordered_json machine() {
  return nlohmann::ordered_json::parse(R"json({
    "host": "node-a", "os": "Debian GNU/Linux 12", "kernel": "6.1.0-example", "virtualization": "",
    "product": "Example Server",
    "cpu": {"vendor": "GenuineExample", "model": "Example CPU 8000", "family": 6, "model_number": 143, "stepping": 8,
      "sockets": 2, "cores": 32, "threads": 64, "base_mhz": 2000, "max_mhz": 3800, "governor": "performance",
      "features": ["avx2", "avx512f", "avx512_bf16", "amx_bf16"],
      "caches": [{"level": 1, "type": "data", "bytes": 49152, "line_bytes": 64, "instances": 32},
                 {"level": 2, "type": "unified", "bytes": 2097152, "line_bytes": 64, "instances": 32},
                 {"level": 3, "type": "unified", "bytes": 62914560, "line_bytes": 64, "instances": 2}]},
    "numa": [{"id": 0, "bytes": 137438953472, "cpus": [0, 1]}, {"id": 1, "bytes": 137438953472, "cpus": [2, 3]}],
    "memory": {"bytes": 274877906944, "available_bytes": 270000000000, "page_bytes": 4096,
      "transparent_huge_pages": "madvise", "huge_page_pools": []},
    "gpus": [], "gpu_unavailable": "no CUDA-capable device is detected", "hcas": [], "distances": [],
    "versions": {"oneDNN": "2.6.3", "OpenBLAS": "0.3.21"},
    "notes": ["serial numbers not readable: not root"]})json");
}

ContextRecord context(const std::string& run_id, std::int64_t process, const std::string& room) {
  ContextRecord record;
  record.run_id = run_id;
  record.process = process;
  record.room = room;
  record.started = process == 0 ? "2026-01-02T03:04:05.000Z" : "2026-01-02T03:05:05.000Z";
  record.host = "node-a";
  record.origin = Origin::simulated;
  record.assay_version = "0.1.0";
  record.source_revision = "0123456789ab";
  record.command_line = {"assay-" + room, "--plan", "quick", "--journal", "run.jsonl"};
  record.plan_name = "quick";
  record.plan = {{"name", "quick"}};
  record.environment = {{"OMP_NUM_THREADS", "64"}};
  record.machine = machine();
  return record;
}

/// Noise of a few percent from a linear congruential generator: the same everywhere.
std::vector<double> samples_around(double seconds, std::uint32_t seed) {
  std::vector<double> samples(60);
  std::uint32_t state = seed * 2654435761U + 12345U;
  for (double& sample : samples) {
    state = state * 1664525U + 1013904223U;
    const double noise = static_cast<double>(state >> 8) / 16777216.0;
    sample = seconds * (0.99 + 0.02 * noise + (state % 17 == 0 ? 0.08 : 0));
  }
  return samples;
}

class Builder {
 public:
  explicit Builder(std::string run_id) : run_id_(std::move(run_id)) {}

  void begin(std::int64_t process, const std::string& room) {
    process_ = process;
    room_ = room;
    records_.emplace_back(context(run_id_, process, room));
  }
  void end() {
    records_.emplace_back(EndRecord{.run_id = run_id_,
                                    .process = process_,
                                    .room = room_,
                                    .ended = "2026-01-02T03:06:05.000Z",
                                    .points = points_,
                                    .interrupted = false});
    points_ = 0;
  }
  PointRecord point(const std::string& name, Fields axes) {
    PointRecord record;
    record.run_id = run_id_;
    record.process = process_;
    record.sequence = points_++;
    record.room = room_;
    record.case_name = name;
    for (const auto& [axis, value] : axes) {
      const auto* integer = std::get_if<std::int64_t>(&value);
      record.key += (record.key.empty() ? "" : ",") + axis + "=" +
                    (integer ? std::to_string(*integer) : std::get<std::string>(value));
    }
    record.point = std::move(axes);
    record.started = "2026-01-02T03:04:06.000Z";
    return record;
  }
  /// `rate` turns seconds into the headline.
  template <class Rate>
  void measured(PointRecord record, double seconds, const std::string& metric, const std::string& unit,
                Rate rate) {
    record.samples_s = samples_around(seconds, static_cast<std::uint32_t>(records_.size()));
    auto sorted = record.samples_s;
    std::sort(sorted.begin(), sorted.end());
    const double middle = (sorted[29] + sorted[30]) / 2;
    record.time = TimeSummary{.value_s = middle,
                              .lower_s = sorted[21],
                              .upper_s = sorted[38],
                              .bounded = true,
                              .n = 60,
                              .n_effective = 60,
                              .min_s = sorted.front(),
                              .max_s = sorted.back(),
                              .mean_s = seconds,
                              .cv = 0.01,
                              .p95_s = sorted[57],
                              .p99_s = {},
                              .p999_s = {}};
    const double a = rate(sorted[21]), b = rate(sorted[38]);
    record.metrics.insert(record.metrics.begin(),
                          {metric, unit, rate(middle), std::min(a, b), std::max(a, b)});
    if (record.work_flops > 0)
      record.metrics.push_back({"efficiency", "1", rate(middle) / peak_tflops, std::min(a, b) / peak_tflops,
                                std::max(a, b) / peak_tflops});
    record.stop = "interval";
    record.elapsed_s = 0.5;
    record.warmup = {0.05, 12, true, ""};
    record.verification = {"right", "every element compared", ""};
    records_.emplace_back(std::move(record));
  }
  void not_measured(PointRecord record, Status status, const std::string& reason) {
    record.status = status;
    record.reason = reason;
    records_.emplace_back(std::move(record));
  }
  std::vector<Record> take() { return std::move(records_); }

 private:
  std::string run_id_, room_;
  std::int64_t process_ = 0, points_ = 0;
  std::vector<Record> records_;
};

double bandwidth_at(std::int64_t bytes, std::int64_t threads) {
  const double per_core = bytes <= 2 * mib * threads ? 60 : bytes <= 120 * mib ? 25 : 9;
  return std::min(per_core * static_cast<double>(threads), bytes <= 120 * mib ? 1500.0 : 310.0);
}

void add_bandwidth(Builder& builder) {
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
        builder.measured(record, static_cast<double>(bytes) / rate * 1e-9, "bandwidth_gb_per_s", "GB/s",
                         [bytes](double s) { return static_cast<double>(bytes) / s * 1e-9; });
      }
  builder.not_measured(builder.point("memory.host.scale", {{"bytes", gib}, {"threads", std::int64_t{64}}}),
                       Status::failed, "cannot allocate 1073741824 bytes on node 1: Cannot allocate memory");
  builder.not_measured(builder.point("memory.cuda.copy", {{"bytes", gib}}), Status::unsupported,
                       "no CUDA-capable device is detected");
}

void add_latency(Builder& builder) {
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
          "latency_ns", "ns", [](double s) { return s * 1e9; });
    }
}

void add_transformer(Builder& builder, const std::string& pass) {
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
      builder.measured(record, work / (efficiency * peak_tflops * 1e12), "tflops", "TFLOP/s",
                       [work](double s) { return work / s * 1e-12; });
    }
}

void add_matmul(Builder& builder) {
  const std::pair<const char*, double> dtypes[] = {{"fp64", 0.21}, {"fp32", 0.42}, {"bf16", 0.88}};
  for (const auto& [dtype, efficiency] : dtypes)
    for (const std::int64_t size : {1024, 4096}) {
      auto record = builder.point("gemm.host.matmul",
                                  {{"m", size}, {"n", size}, {"k", size}, {"dtype", std::string(dtype)}});
      record.work_flops =
          2.0 * static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(size);
      const double work = record.work_flops;
      builder.measured(record, work / (efficiency * peak_tflops * 1e12), "tflops", "TFLOP/s",
                       [work](double s) { return work / s * 1e-12; });
    }
}

}  // namespace

std::vector<Record> fixed_run(const std::string& run_id) {
  Builder builder(run_id);
  builder.begin(0, "memory");
  add_bandwidth(builder);
  add_latency(builder);
  builder.end();
  builder.begin(1, "gemm");
  for (const auto* pass : {"forward", "dgrad", "wgrad"}) add_transformer(builder, pass);
  add_matmul(builder);
  builder.end();
  return builder.take();
}

}  // namespace assay::results::test
