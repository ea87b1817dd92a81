// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/calculon/system_export.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/text/json_text.hpp"
#include "model/exporters/calculon/names_and_units.hpp"
#include "model/exporters/calculon/staircase_table.hpp"
#include "model/exporters/calculon/stated_intervals.hpp"
#include "model/exporters/gemm_rows.hpp"
#include "model/fit/rows/timing_rows.hpp"
#include "model/json/json_keys.hpp"
#include "model/json/read_json.hpp"
#include "model/predict/read/read.hpp"

namespace assay::model::calculon {
namespace {

const DtypeName& name_of(const std::string& dtype, const std::string& csv) {
  if (const DtypeName* name = dtype_named(dtype)) return *name;
  core::usage_error(
      fmt::format("{}: Calculon does not know dtype '{}' (expected bf16, fp16, fp32 or fp8)", csv, dtype));
}

std::vector<fit::GemmRow> rows_of(const SystemRequest& request) {
  fit::Timings<fit::GemmRow> timings = exporters::gemm_timings(*request.csv, request.gemm_group);
  const auto least = static_cast<double>(request.smallest);
  std::erase_if(timings.rows, [&](const fit::GemmRow& row) {
    return row.shape.m < least || row.shape.n < least || row.shape.k < least;
  });
  if (timings.rows.empty())
    core::usage_error(
        fmt::format("{}: no GEMM with m, n and k of {} or more", request.csv->name, request.smallest));
  exporters::must_be_one_group(timings);
  if (timings.rows.size() < fewest_staircase_rows)
    core::usage_error(fmt::format("{}: {} GEMMs of that dtype and size: expected at least {}",
                                  request.csv->name, timings.rows.size(), fewest_staircase_rows));
  return timings.rows;
}

EfficiencySteps steps_from(const nlohmann::json& table, double unit) {
  EfficiencySteps steps;
  for (const nlohmann::json& row : table)
    steps.push_back({row[0].get<double>() * unit, row[1].get<double>()});
  return steps;
}

/// Its engine, first memory and processing mode.
ExportedGemms replace_gemms(nlohmann::json& system, const SystemRequest& request) {
  const std::vector<fit::GemmRow> rows = rows_of(request);
  const DtypeName& name = name_of(rows.front().dtype, request.csv->name);
  if (!system["matrix"].contains(name.theirs))
    JsonKeys(system["matrix"], request.base + ": matrix.")
        .fail(name.theirs, "an engine for the GEMMs of the CSV");
  nlohmann::json& engine = system["matrix"][name.theirs];
  nlohmann::json& memory = system["mem1"];
  const GemmPeaks peaks{.flop_per_s = engine["tflops"].get<double>() * tera,
                        .b_per_s = memory["GBps"].get<double>() * giga,
                        .element_bytes = name.bytes,
                        .by_bytes = steps_from(memory["MB_efficiency"], mega),
                        .mode = request.mode};
  GemmStaircases staircases = fit_staircases(rows, peaks);
  add_bounds(staircases, rows, peaks, request.seed);
  engine["gflops_efficiency"] = table_of<nlohmann::json>(staircases.by_flop, giga);
  memory["MB_efficiency"] = table_of<nlohmann::json>(staircases.by_bytes, mega);
  system["processing_mode"] = to_string(request.mode);
  state_intervals(system, std::string(name.theirs), staircases);
  return {.datatype = std::string(name.theirs),
          .rows = rows.size(),
          .held_out = held_out_errors(rows, peaks, request.seed)};
}

}  // namespace

ExportedSystem export_system(const SystemRequest& request) {
  nlohmann::json system = read_json(request.base);
  static_cast<void>(read_system(system, request.base));  // refuses an unusable one
  ExportedSystem exported;
  if (request.csv) exported.gemms = replace_gemms(system, request);
  exported.network = replace_network(system, request.base, request.network);
  if (exported.network) state_intervals(system, request.network.tier, *exported.network);
  exported.text = core::json_text(system, 1) + "\n";
  return exported;
}

}  // namespace assay::model::calculon
