// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/sample_records.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace assay::results::test {

ContextRecord sample_context(const std::string& run_id, std::int64_t process) {
  ContextRecord context;
  context.run_id = run_id;
  context.process = process;
  context.module = "memory";
  context.started = "2026-01-02T03:04:05Z";
  context.host = "node-a";
  context.assay_version = "0.1.0";
  context.source_revision = "abc1234";
  context.command_line = {"assay-memory", "--plan", "quick"};
  context.plan_name = "quick";
  context.plan = {{"name", "quick"}};
  context.environment = {{"OMP_NUM_THREADS", "2"}};
  context.machine = {{"host", "node-a"}, {"cpu", {{"model", "Example CPU"}, {"cores", 2}}}};
  return context;
}

PointRecord sample_point(const std::string& run_id, std::int64_t sequence) {
  PointRecord point;
  point.run_id = run_id;
  point.sequence = sequence;
  point.module = "memory";
  point.case_name = "memory.host.copy";
  point.point = {{"bytes", std::int64_t{1073741824}}, {"threads", std::int64_t{2}}, {"store", "temporal"}};
  point.key = "bytes=1073741824,threads=2,store=temporal";
  point.started = "2026-01-02T03:04:06Z";
  point.elapsed_s = 0.5;
  point.time = TimeSummary{.value_s = 0.1,
                           .lower_s = 0.09,
                           .upper_s = 0.11,
                           .bounded = true,
                           .n = 3,
                           .n_effective = 3,
                           .min_s = 0.09,
                           .max_s = 0.11,
                           .mean_s = 0.1,
                           .cv = 0.1,
                           .p95_s = 0.11,
                           .p99_s = {},
                           .p999_s = {}};
  point.metrics = {{"bandwidth_gb_per_s", "GB/s", 21.47483648, 19.5, 23.9}};
  point.work_bytes = 2147483648.0;
  point.bytes_counted = "read + write";
  point.stop = "interval";
  point.iterations_per_sample = 4;
  point.cold_first_s = 0.2;
  point.warmup = {0.05, 7, true, ""};
  point.verification = {Verification::Result::right, "every byte compared", ""};
  point.conditions = {
      {"huge_page_bytes", std::int64_t{2097152}}, {"cpu_mhz", 2400.5}, {"governor", "performance"}};
  point.samples_s = {0.09, 0.1, 0.11};
  return point;
}

PointRecord unsupported_point(const std::string& run_id, std::int64_t sequence) {
  PointRecord point;
  point.run_id = run_id;
  point.sequence = sequence;
  point.module = "memory";
  point.case_name = "memory.cuda.copy";
  point.point = {{"bytes", std::int64_t{1024}}};
  point.key = "bytes=1024";
  point.status = Status::unsupported;
  point.reason = "no CUDA-capable device is detected";
  point.started = "2026-01-02T03:04:07Z";
  return point;
}

EndRecord sample_end(const std::string& run_id, std::int64_t process) {
  return {.run_id = run_id,
          .process = process,
          .module = "memory",
          .ended = "2026-01-02T03:05:00Z",
          .points = 2,
          .interrupted = false};
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "assay-test-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder: " + name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace assay::results::test
