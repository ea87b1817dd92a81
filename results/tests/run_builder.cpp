// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/run_builder.hpp"

#include <algorithm>
#include <cmath>

#include "harness/core/text/json_from.hpp"

namespace assay::results::test {
namespace {

nlohmann::ordered_json machine() {
  return core::json_from<nlohmann::ordered_json>(R"json({
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
    "gpus": [], "gpu_unavailable": "no CUDA-capable device is detected", "distances": [],
    "hcas": [{"device": "mlx5_0", "port": 1, "firmware": "28.39.1002", "part": "ConnectX-7", "state": "ACTIVE",
              "link_layer": "Ethernet", "rate": "400 Gb/sec (4X NDR)", "mtu_bytes": 4096},
             {"device": "mlx5_1", "port": 1, "firmware": "28.39.1002", "part": "ConnectX-7", "state": "ACTIVE",
              "link_layer": "Ethernet", "rate": "400 Gb/sec (4X NDR)", "mtu_bytes": 4096}],
    "versions": {"oneDNN": "2.6.3", "OpenBLAS": "0.3.21"},
    "notes": ["serial numbers not readable: not root"]})json");
}

ContextRecord context(const std::string& run_id, std::int64_t process, const std::string& module) {
  ContextRecord record;
  record.run_id = run_id;
  record.process = process;
  record.module = module;
  record.started = process == 0 ? "2026-01-02T03:04:05.000Z" : "2026-01-02T03:05:05.000Z";
  record.host = "node-a";
  record.origin = Origin::simulated;
  record.assay_version = "0.1.0";
  record.source_revision = "0123456789ab";
  record.command_line = {"assay-" + module, "--plan", "quick", "--journal", "run.jsonl"};
  record.plan_name = "quick";
  record.plan = {{"name", "quick"}};
  record.environment = {{"OMP_NUM_THREADS", "64"}};
  record.machine = machine();
  return record;
}

constexpr std::size_t few = 60;

/// Noise of a few percent from a linear congruential generator: the same everywhere.
std::vector<double> samples_around(double seconds, std::uint32_t seed, std::size_t n) {
  std::vector<double> samples(n);
  std::uint32_t state = seed * 2654435761U + 12345U;
  for (double& sample : samples) {
    state = state * 1664525U + 1013904223U;
    const double noise = static_cast<double>(state >> 8) / 16777216.0;
    sample = seconds * (0.99 + 0.02 * noise + (state % 17 == 0 ? 0.08 : 0));
    if (n > few && state % 211 == 0)
      sample *= state % 3 == 0 ? 9 : 2;  // a tail, where there are samples for one
  }
  return samples;
}

TimeSummary summary_of(std::vector<double> sorted) {
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<double>(sorted.size());
  const auto at = [&](double rank) { return sorted[static_cast<std::size_t>(std::clamp(rank, 0.0, n - 1))]; };
  double sum = 0;
  for (const double sample : sorted) sum += sample;
  TimeSummary time{.value_s = (at(n / 2 - 1) + at(n / 2)) / 2,
                   .lower_s = at(std::floor((n - 1) / 2 - 0.98 * std::sqrt(n))),
                   .upper_s = at(std::ceil((n - 1) / 2 + 0.98 * std::sqrt(n))),
                   .bounded = true,
                   .n = static_cast<std::int64_t>(sorted.size()),
                   .n_effective = n,
                   .min_s = sorted.front(),
                   .max_s = sorted.back(),
                   .mean_s = sum / n,
                   .cv = 0.01,
                   .p95_s = at(std::floor(0.95 * n)),
                   .p99_s = {},
                   .p999_s = {}};
  if (n >= 299) time.p99_s = at(std::floor(0.99 * n));
  if (n >= 2995) time.p999_s = at(std::floor(0.999 * n));
  return time;
}

}  // namespace

void RunBuilder::begin(std::int64_t process, const std::string& module) {
  process_ = process;
  module_ = module;
  records_.emplace_back(context(run_id_, process, module));
}

void RunBuilder::end() {
  records_.emplace_back(EndRecord{.run_id = run_id_,
                                  .process = process_,
                                  .module = module_,
                                  .ended = "2026-01-02T03:06:05.000Z",
                                  .points = points_,
                                  .interrupted = false});
  points_ = 0;
}

PointRecord RunBuilder::point(const std::string& name, Fields axes) {
  PointRecord record;
  record.run_id = run_id_;
  record.process = process_;
  record.sequence = points_++;
  record.module = module_;
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

void RunBuilder::measured(PointRecord record, double seconds, const HeadlineOf& headline, std::size_t n) {
  record.samples_s = samples_around(seconds, static_cast<std::uint32_t>(records_.size()), n);
  record.time = summary_of(record.samples_s);
  const double middle = headline.rate(record.time->value_s), a = headline.rate(record.time->lower_s),
               b = headline.rate(record.time->upper_s);
  record.metrics.insert(record.metrics.begin(),
                        {headline.metric, headline.unit, middle, std::min(a, b), std::max(a, b)});
  if (record.work_flops > 0)
    record.metrics.push_back({"efficiency", "1", middle / peak_tflops, std::min(a, b) / peak_tflops,
                              std::max(a, b) / peak_tflops});
  record.stop = "interval";
  record.elapsed_s = 0.5;
  if (record.warmup.last_moving.empty()) record.warmup = {0.05, 12, true, ""};
  record.verification = {Verification::Result::right, "every element compared", ""};
  records_.emplace_back(std::move(record));
}

void RunBuilder::not_measured(PointRecord record, Status status, const std::string& reason) {
  record.status = status;
  record.reason = reason;
  records_.emplace_back(std::move(record));
}

}  // namespace assay::results::test
