// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// llm-analysis' GPU file. An all_reduce takes the longer of 2 (p - 1) / p x bytes / intra_node_bandwidth and
// intra_node_min_message_latency s; a module the longer of FLOP / (peak x flops_efficiency) and bytes /
// (hbm_bandwidth x hbm_memory_efficiency), all in 1e9 and 1e12 (llm_analysis/analysis.py).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/core/error.hpp"
#include "model/exporters/base_file.hpp"
#include "model/exporters/exporters.hpp"
#include "model/exporters/network_rows.hpp"
#include "model/exporters/roofline.hpp"

namespace assay::model::exporters {
namespace {

constexpr const char* link_bandwidth_key = "intra_node_bandwidth_in_GB_per_sec";
constexpr const char* link_latency_key = "intra_node_min_message_latency";
constexpr const char* hbm_key = "hbm_bandwidth_in_GB_per_sec";
constexpr const char* peak_key = "peak_fp16_TFLOPS";

FittedFormula fit_floor(const std::vector<fit::CollectiveRow>& rows, std::uint64_t seed) {
  const double least_us = std::ranges::min(rows, {}, &fit::CollectiveRow::time_us).time_us;
  const Formula<fit::CollectiveRow> formula{
      .names = {"intra_node_min_message_latency_s", "intra_node_bandwidth_gb_per_s"},
      .start = {least_us * 1e-6, fastest_ring_b_per_us(rows) * 1e-3},
      .time_us =
          [](const fit::CollectiveRow& row, std::span<const double> link) {
            return std::max(link[0] * 1e6, ring_bytes(row) / link[1] * 1e-3);
          },
      .size = [](const fit::CollectiveRow& row) { return row.size_bytes; }};
  return fit_formula(rows, formula, seed);
}

/// The declared peak and bandwidth stay; the tool takes efficiencies as arguments.
void add_efficiencies(const ExportRequest& request, const BaseFile& base, Exported& made) {
  if (!request.gemm) {
    made.notes.emplace_back("no GEMM: the efficiencies of FLOP and HBM are not known");
    return;
  }
  Roofline roofline = fit_roofline(request);
  if (roofline.dtype != "fp16" && roofline.dtype != "bf16")
    core::usage_error(fmt::format("{}: dtype '{}': llm-analysis' peak is of fp16 (or bf16)",
                                  request.gemm->name, roofline.dtype));
  made.notes.push_back(
      fmt::format("run llm-analysis with --flops_efficiency={:.9g} --hbm_memory_efficiency={:.9g}",
                  efficiency_of(roofline.tflop_per_s(), base.number(peak_key), request.base, peak_key),
                  efficiency_of(roofline.gb_per_s(), base.number(hbm_key), request.base, hbm_key)));
  made.fits.emplace_back("GEMM", std::move(roofline.fitted));
}

Exported export_llm_analysis(const ExportRequest& request) {
  const auto rows = network_rows(request, "llm-analysis", {"all_reduce"});
  BaseFile base(request.base, "llm-analysis", {"mem_per_GPU_in_GB", hbm_key, peak_key});
  Exported made;
  FittedFormula link = fit_floor(rows, request.seed);
  base.set(link_latency_key, link.value(0));
  base.set(link_bandwidth_key, link.value(1));
  made.fits.emplace_back("collectives", std::move(link));
  add_efficiencies(request, base, made);
  made.files.push_back({"", base.text()});
  made.notes.emplace_back(
      "inter_node_bandwidth_in_GB_per_sec is the base's: the tool divides one GPU's traffic by it, so one "
      "GPU's "
      "share belongs there, not a node's");
  return made;
}

}  // namespace

Exporter llm_analysis_exporter() {
  return {.name = "llm-analysis",
          .about = "the tool's JSON (--base) with what was measured",
          .uses = {"--csv", "--gemm", "--base"},
          .write = export_llm_analysis};
}

}  // namespace assay::model::exporters
