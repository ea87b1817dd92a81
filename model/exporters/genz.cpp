// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// GenZ's system dictionary. Collectives take 5 us + steps x ICN_LL us + bytes of the ring / ICN
// (GenZ/collective_times.py: all_reduce, all_gather, all_to_all). An operation takes the longer of
// MACs / (Flops / 2) and bytes / Memory_BW, each over its efficiency, fp8 half and fp32 twice as long as bf16
// (GenZ/operator_base.py, system.py). Flops are 1e12, but every bandwidth is in 2^30 bytes/s (GenZ/unit.py).
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "model/exporters/base_file.hpp"
#include "model/exporters/exporters.hpp"
#include "model/exporters/network_rows.hpp"
#include "model/exporters/roofline.hpp"

namespace assay::model::exporters {
namespace {

constexpr double start_us = 5;
constexpr double gib = 1073741824;

/// How much longer than bf16 GenZ takes an operation of that dtype to be.
double times_bf16(const std::string& dtype, const std::string& source) {
  if (dtype == "bf16" || dtype == "fp16") return 1;
  if (dtype.starts_with("fp8")) return 0.5;
  if (dtype == "fp32") return 2;
  core::usage_error(
      fmt::format("{}: GenZ does not know dtype '{}' (expected bf16, fp16, fp8 or fp32)", source, dtype));
}

void add_genz_roofline(const ExportRequest& request, BaseFile& base, Exported& made) {
  if (!request.gemm) {
    made.notes.emplace_back("no GEMM: Flops and Memory_BW are the base's");
    return;
  }
  Roofline roofline = fit_roofline(request);
  base.set("Flops", roofline.tflop_per_s() * times_bf16(roofline.dtype, request.gemm->name));
  base.set("Memory_BW", roofline.gb_per_s() * 1e9 / gib);
  made.fits.emplace_back("GEMM", std::move(roofline.fitted));
  made.notes.emplace_back("Flops and Memory_BW are what was reached: leave ceff and meff at 1");
}

Exported export_genz(const ExportRequest& request) {
  const auto rows = network_rows(request, "GenZ", {"all_reduce", "all_gather", "all_to_all"});
  BaseFile base(request.base, "genz", {"Flops", "Memory_size", "Memory_BW", "ICN", "ICN_LL"});
  const LinkUnits units{.fixed_us = start_us,
                        .b_per_us = gib_per_s,
                        .latency_name = "ICN_LL_us",
                        .bandwidth_name = "ICN_gib_per_s"};
  Exported made;
  FittedFormula link = fit_ring(rows, units, request.seed);
  base.set("ICN_LL", link.value(0));
  base.set("ICN", link.value(1));
  made.fits.emplace_back("collectives", std::move(link));
  add_genz_roofline(request, base, made);
  made.files.push_back({"", base.text()});
  made.notes.emplace_back("whatever is measured, GenZ adds 5 us to each collective");
  return made;
}

}  // namespace

Exporter genz_exporter() {
  return {.name = "genz",
          .about = "the tool's JSON (--base) with what was measured",
          .uses = {"--csv", "--gemm", "--base"},
          .write = export_genz};
}

}  // namespace assay::model::exporters
