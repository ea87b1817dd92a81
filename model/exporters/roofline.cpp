// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "model/exporters/gemm_rows.hpp"
#include "model/fit/laws/gemm_core.hpp"

namespace assay::model::exporters {

using fit::GemmRow;

Roofline fit_roofline(const ExportRequest& request) {
  const fit::Timings<GemmRow> timings = gemm_timings(*request.gemm, request.gemm_group);
  must_be_one_group(timings);
  const std::string dtype = timings.rows.front().dtype;
  const auto device = fit::device_for(dtype, 1);
  if (!device)
    timings.table.complain(timings.rows.front().table_row, "dtype", "unknown dtype '" + dtype + "'");
  double tflop_per_s = 0, gb_per_s = 0;
  for (const GemmRow& row : timings.rows) {
    tflop_per_s = std::max(tflop_per_s, row.shape.flop() / row.time_us * 1e-6);
    gb_per_s = std::max(gb_per_s, fit::gemm_bytes(row.shape, *device) / row.time_us * 1e-3);
  }
  if (timings.rows.size() < fewest_roofline_rows)
    core::usage_error(fmt::format("{}: {} GEMMs; expected {} or more", request.gemm->name,
                                  timings.rows.size(), fewest_roofline_rows));
  const Formula<GemmRow> formula{.names = {"tflop_per_s", "gb_per_s"},
                                 .start = {tflop_per_s, gb_per_s},
                                 .time_us =
                                     [device = *device](const GemmRow& row, std::span<const double> rate) {
                                       return std::max(row.shape.flop() / rate[0] * 1e-6,
                                                       fit::gemm_bytes(row.shape, device) / rate[1] * 1e-3);
                                     },
                                 .size = [](const GemmRow& row) { return row.shape.flop(); }};
  return {.dtype = dtype, .fitted = fit_formula(timings.rows, formula, request.seed)};
}

double efficiency_of(double reached, double declared, const std::string& base, const char* key) {
  if (reached > declared)
    core::usage_error(fmt::format("{}: key '{}': {:g} is less than the {:.6g} that were measured: raise it",
                                  base, key, declared, reached));
  return reached / declared;
}

}  // namespace assay::model::exporters
