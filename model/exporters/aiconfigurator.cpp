// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// aiconfigurator's system YAML and its tables of GEMM and NCCL. A memory operation takes (bytes / (mem_bw x
// mem_bw_empirical_scaling_factor) + mem_empirical_constant_latency) x 1000 ms, in bytes, bytes/s and s;
// tables hold ms, and NCCL's message sizes are elements (perf_database, systems/*.yaml).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/version.hpp"
#include "model/exporters/exported.hpp"
#include "model/exporters/exporters.hpp"
#include "model/exporters/gemm_rows.hpp"
#include "model/exporters/network_rows.hpp"
#include "model/exporters/roofline.hpp"

namespace assay::model::exporters {
namespace {

using fit::SizeRow;

constexpr const char* bandwidth_key = "mem_bw";
constexpr const char* factor_key = "mem_bw_empirical_scaling_factor";
constexpr const char* latency_key = "mem_empirical_constant_latency";

/// Lines of "  key: value # comment", each kept as it is but for the value.
class YamlLines {
 public:
  explicit YamlLines(const std::string& path) : path_(path) {
    if (path.empty())
      core::usage_error("export aiconfigurator: expected --base, one of its system YAML files");
    std::ifstream file(path);
    if (!file) core::usage_error(path + ": cannot be read");
    for (std::string line; std::getline(file, line);) lines_.push_back(line);
  }

  double number(const std::string& key) const {
    const std::string& line = lines_[place_of(key)];
    double value = 0;
    std::istringstream(line.substr(line.find(':') + 1)) >> value;
    if (!(value > 0)) core::usage_error(fmt::format("{}: key '{}': expected a number above 0", path_, key));
    return value;
  }

  void set(const std::string& key, double value) {
    std::string& line = lines_[place_of(key)];
    line = fmt::format("{}: {:.9g} # measured by assay", line.substr(0, line.find(':')), value);
  }

  std::string text() const {
    std::string text;
    for (const std::string& line : lines_) text += line + "\n";
    return text;
  }

 private:
  std::size_t place_of(const std::string& key) const {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::size_t start = lines_[i].find_first_not_of(' ');
      if (start != std::string::npos && lines_[i].compare(start, key.size() + 1, key + ":") == 0) return i;
    }
    core::usage_error(fmt::format("{}: key '{}': is missing", path_, key));
  }

  std::string path_;
  std::vector<std::string> lines_;
};

/// The rows of one operation beyond the caches.
std::vector<SizeRow> memory_rows(const ExportRequest& request) {
  if (!request.memory)
    core::usage_error("export aiconfigurator: expected timings of a memory (--memory, or a run with them)");
  std::vector<SizeRow> rows = fit::read_size_timings(*request.memory).rows;
  std::erase_if(rows, [&](const SizeRow& row) {
    return (row.region != "memory" && row.region != "cold") || row.size_bytes < request.least_bytes ||
           (!request.operation.empty() && row.operation != request.operation);
  });
  std::set<std::string> curves;
  for (const SizeRow& row : rows) curves.insert(row.curve());
  if (curves.size() > 1)
    core::usage_error(
        fmt::format("{}: several memories ({} and {}): choose an operation with --operation, or keep "
                    "each in a separate file",
                    request.memory->name, *curves.begin(), *std::next(curves.begin())));
  if (rows.size() < 4)
    core::usage_error(
        fmt::format("{}: {} rows of a memory beyond the caches: expected 4 or more whose "
                    "column region says memory or cold",
                    request.memory->name, rows.size()));
  return rows;
}

FittedFormula fit_memory(const std::vector<SizeRow>& rows, double declared_b_per_s, std::uint64_t seed) {
  double least_us = INFINITY, most_b_per_us = 0;
  for (const SizeRow& row : rows) {
    least_us = std::min(least_us, row.time_us);
    most_b_per_us = std::max(most_b_per_us, row.size_bytes / row.time_us);
  }
  const Formula<SizeRow> formula{.names = {latency_key, factor_key},
                                 .start = {0.5e-6 * least_us, most_b_per_us * 1e6 / declared_b_per_s},
                                 .time_us =
                                     [declared_b_per_s](const SizeRow& row, std::span<const double> memory) {
                                       return (row.size_bytes / (declared_b_per_s * memory[1]) + memory[0]) *
                                              1e6;
                                     },
                                 .size = [](const SizeRow& row) { return row.size_bytes; }};
  return fit_formula(rows, formula, seed);
}

std::string gemm_dtype(const std::string& dtype) {
  if (dtype == "bf16") return "bfloat16";
  if (dtype == "fp16") return "float16";
  return dtype.starts_with("fp8") ? "fp8" : dtype;
}

std::string gemm_table(const ExportRequest& request) {
  fit::Timings<fit::GemmRow> timings = gemm_timings(*request.gemm, request.gemm_group);
  // Its table of GEMMs has no column for a batch.
  std::erase_if(timings.rows, [](const fit::GemmRow& row) { return row.is_batched(); });
  if (timings.rows.empty())
    core::usage_error(request.gemm->name + ": batched products alone; expected GEMMs");
  std::string text = "framework,version,device,op_name,kernel_source,gemm_dtype,m,n,k,latency\n";
  for (const fit::GemmRow& row : timings.rows)
    text += fmt::format("assay,{},{},gemm,{},{},{:.0f},{:.0f},{:.0f},{:.9g}\n", core::version(),
                        timings.machine, row.layout.empty() ? "unknown" : row.layout, gemm_dtype(row.dtype),
                        row.shape.m, row.shape.n, row.shape.k, row.time_us * 1e-3);
  return text;
}

/// Bytes of an element, under the name that the table knows the dtype by.
std::pair<const char*, double> nccl_dtype(const fit::Timings<fit::CollectiveRow>& timings,
                                          const fit::CollectiveRow& row) {
  if (row.dtype == "fp16" || row.dtype == "float16") return {"half", 2};
  if (row.dtype == "int8") return {"int8", 1};
  timings.table.complain(
      row.table_row, "dtype",
      fmt::format("aiconfigurator's NCCL table does not know '{}' (expected fp16 or int8)", row.dtype));
}

std::string nccl_table(const ExportRequest& request) {
  fit::Timings<fit::CollectiveRow> timings = fit::read_collective_timings(*request.collectives);
  std::erase_if(timings.rows, [&](const fit::CollectiveRow& row) { return !is_asked_for(request, row); });
  if (timings.rows.empty())
    core::usage_error(request.collectives->name + ": no collective matches the request");
  if (fit::on_most_nodes(timings.rows).size() < timings.rows.size())
    core::usage_error(request.collectives->name +
                      ": collectives of as many ranks on several numbers of nodes, which the table does not "
                      "know: choose one with --nodes");
  std::string text =
      "framework,version,device,op_name,kernel_source,nccl_dtype,num_gpus,message_size,latency\n";
  for (const fit::CollectiveRow& row : timings.rows) {
    const auto [dtype, element_bytes] = nccl_dtype(timings, row);
    text += fmt::format("assay,{},{},{},{},{},{},{:.0f},{:.9g}\n", core::version(), timings.machine,
                        row.operation, row.algorithm.empty() ? "unknown" : row.algorithm, dtype, row.ranks,
                        row.size_bytes / element_bytes, row.time_us * 1e-3);
  }
  return text;
}

Exported export_aiconfigurator(const ExportRequest& request) {
  YamlLines yaml(request.base);
  const double declared_b_per_s = yaml.number(bandwidth_key);
  Exported made;
  FittedFormula memory = fit_memory(memory_rows(request), declared_b_per_s, request.seed);
  yaml.set(factor_key,
           efficiency_of(memory.value(1) * declared_b_per_s, declared_b_per_s, request.base, bandwidth_key));
  yaml.set(latency_key, memory.value(0));
  made.files.push_back({".yaml", yaml.text()});
  made.fits.emplace_back("memory", std::move(memory));
  if (request.gemm) made.files.push_back({".gemm_perf.txt", gemm_table(request)});
  if (request.collectives) made.files.push_back({".nccl_perf.txt", nccl_table(request)});
  if (made.files.size() > 1)
    made.notes.emplace_back(
        "aiconfigurator opens Parquet only (since 2026; 095f58a5) and these tables are text: duckdb -c "
        "\"COPY "
        "(FROM read_csv('NAME.gemm_perf.txt')) TO 'gemm_perf.parquet'\"");
  made.notes.emplace_back("inter_node_bw, intra_node_bw, pcie_bw and p2p_latency are the base's");
  return made;
}

}  // namespace

Exporter aiconfigurator_exporter() {
  return {.name = "aiconfigurator",
          .about = "OUTPUT.yaml (from --base), OUTPUT.gemm_perf.txt and OUTPUT.nccl_perf.txt",
          .uses = {"--csv", "--gemm", "--base", "--memory", "--operation"},
          .write = export_aiconfigurator};
}

}  // namespace assay::model::exporters
