// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/calculon/measured_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/exporters/calculon/engine_steps.hpp"
#include "model/exporters/calculon/measured_tier.hpp"
#include "model/exporters/calculon/names_and_units.hpp"
#include "model/exporters/calculon/staircase_table.hpp"
#include "model/exporters/calculon/vector_work.hpp"
#include "model/fit/laws/usage_fit.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::calculon {
namespace {

using Json = nlohmann::ordered_json;

constexpr double bytes_per_gib = 1024.0 * 1024 * 1024;

Json engine_json(const PeakAndSteps& engine) {
  return {{"tflops", engine.peak_per_s / tera}, {"gflops_efficiency", table_of<Json>(engine.steps, giga)}};
}

Json memory_json(const PeakAndSteps& memory, double capacity_bytes) {
  return {{"GiB", capacity_bytes / bytes_per_gib},
          {"GBps", memory.peak_per_s / giga},
          {"MB_efficiency", table_of<Json>(memory.steps, mega)}};
}

bool of_back_end(const std::string& text, const std::string& back_end) {
  return text.starts_with(back_end + " ") || text.starts_with(back_end + ".");
}

/// The rows of each dtype on this back end: the layout with the most of them.
std::map<std::string, std::vector<fit::GemmRow>> products_of(const std::vector<fit::GemmRow>& rows,
                                                             const std::string& back_end) {
  std::map<std::string, std::map<std::string, std::vector<fit::GemmRow>>> all;
  for (const fit::GemmRow& row : rows)
    if (of_back_end(row.layout, back_end)) all[row.dtype][row.layout].push_back(row);
  std::map<std::string, std::vector<fit::GemmRow>> found;
  for (auto& [dtype, layouts] : all)
    found[dtype] =
        std::ranges::max_element(layouts, {}, [](const auto& of) { return of.second.size(); })->second;
  return found;
}

std::vector<EngineRow> engine_rows(const std::vector<fit::GemmRow>& rows, double width) {
  std::vector<EngineRow> found;
  for (const fit::GemmRow& row : rows)
    found.push_back(
        {.flop = row.shape.flop(), .bytes = width * row.shape.elements(), .s = row.time_us * 1e-6});
  return found;
}

/// Rows of the first of these operations that was measured on the back end.
std::vector<EngineRow> memory_rows(const fit::CsvSource& source, const std::string& back_end) {
  const auto timings = fit::read_size_timings(source);
  for (const char* operation : {"copy", "read", ""}) {
    std::vector<EngineRow> found;
    for (const fit::SizeRow& row : timings.rows)
      if (of_back_end(row.operation, back_end) && row.operation.ends_with(operation))
        found.push_back({.bytes = row.size_bytes, .s = row.time_us * 1e-6});
    if (!found.empty()) return found;
  }
  return {};
}

/// Builds the parts in the order in which one needs the other.
class Builder {
 public:
  explicit Builder(const MeasuredSources& sources) : sources_(sources) {
    if (sources_.gemm != nullptr) gemms_ = fit::read_gemm_timings(*sources_.gemm).rows;
    const bool of_gpu =
        std::ranges::any_of(gemms_, [](const fit::GemmRow& row) { return of_back_end(row.layout, "cuda"); });
    back_end_ = of_gpu ? "cuda" : "host";
  }

  MeasuredSystem build() && {
    std::vector<EngineRow> memory;
    if (sources_.memory != nullptr) memory = memory_rows(*sources_.memory, back_end_);
    const auto products = products_of(gemms_, back_end_);
    if (products.empty() || memory.empty()) {
      lack("no system: it needs GEMM and memory over sizes");
      return {nullptr, std::move(lacking_)};
    }
    memory_ = memory_steps(memory);
    system_["about"] = fmt::format("measured on this {}; peaks are the fastest measured",
                                   back_end_ == "cuda" ? "GPU" : "host");
    system_["matrix"] = Json::object();
    for (const auto& [dtype, rows] : products) add_matrix(dtype, rows);
    add_vector();
    add_memories();
    system_["processing_mode"] = "roofline";
    system_["networks"] = measured_networks(sources_.collectives, lacking_);
    add_usage(system_["networks"]);
    return {std::move(system_), std::move(lacking_)};
  }

 private:
  void lack(std::string line) { lacking_.push_back(std::move(line)); }

  void add_matrix(const std::string& dtype, const std::vector<fit::GemmRow>& rows) {
    const DtypeName* name = dtype_named(dtype);
    if (name == nullptr) return lack(fmt::format("matrix: the model has no dtype {}", dtype));
    system_["matrix"][name->theirs] = engine_json(engine_steps(engine_rows(rows, name->bytes), memory_));
  }

  void add_vector() {
    system_["vector"] = Json::object();
    if (sources_.vector == nullptr) return lack("vector: no vector kernel, so no step can be predicted");
    std::map<std::string_view, std::vector<EngineRow>> by_dtype;
    for (const fit::SizeRow& row : fit::read_size_timings(*sources_.vector).rows)
      if (const auto work = forward_work(row, back_end_)) by_dtype[work->dtype].push_back(work->row);
    for (const auto& [dtype, rows] : by_dtype)
      system_["vector"][dtype] = engine_json(engine_steps(rows, memory_));
    for (const auto& [dtype, engine] : system_["matrix"].items())
      if (!system_["vector"].contains(dtype))
        lack(fmt::format("vector.{}: no vector kernel of this dtype, so no step in it can be predicted",
                         dtype));
  }

  void add_memories() {
    const bool of_gpu = back_end_ == "cuda";
    const auto& first = of_gpu ? sources_.capacities.gpu_bytes : sources_.capacities.host_bytes;
    if (!first) lack("mem1.GiB: the runs do not say how large the memory is: 0");
    system_["mem1"] = memory_json(memory_, first.value_or(0));
    std::vector<EngineRow> links;
    if (of_gpu && sources_.links != nullptr) links = memory_rows(*sources_.links, back_end_);
    if (links.empty()) {
      lack("mem2: no copy between host and GPU, so nothing can be offloaded");
      system_["mem2"] = memory_json(memory_, 0);
      return;
    }
    if (!sources_.capacities.host_bytes)
      lack("mem2.GiB: the runs do not say how large the host's memory is: 0");
    system_["mem2"] = memory_json(memory_steps(links), sources_.capacities.host_bytes.value_or(0));
  }

  /// Adds the processor usage from products during a collective, which is one of this node.
  void add_usage(Json& networks) {
    if (networks.size() > 1 && networks[1]["size"] != 1)
      lack("networks[1].processor_usage: no measurement of products during a collective over nodes: 0");
    Json& network = networks[0];
    if (network["size"] == 1) return;
    std::map<std::string, fit::Coefficient> usages;
    if (sources_.slowdowns != nullptr) usages = fit::fit_usage(fit::read_slowdowns(*sources_.slowdowns));
    const std::vector<std::string> contests = fit::contests_of_a_step(usages);
    if (contests.size() == 1)
      network["processor_usage"] = usages.at(contests.front()).value;
    else
      lack(fmt::format("networks[0].processor_usage: {} of products during a collective or copies: 0",
                       contests.empty() ? "no measurement" : "several measurements"));
  }

  const MeasuredSources& sources_;
  std::vector<fit::GemmRow> gemms_;
  std::string back_end_;
  PeakAndSteps memory_;
  Json system_;
  std::vector<std::string> lacking_;
};

}  // namespace

MeasuredSystem measured_system(const MeasuredSources& sources) { return Builder(sources).build(); }

}  // namespace assay::model::calculon
