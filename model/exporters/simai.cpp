// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// SimAI's bus bandwidths of the tensor-parallel group on one server: a collective of 1 MiB or more takes
// bytes x 2 (n - 1) / n / busbw, or (n - 1) / n for all but all_reduce, with 2^30 bytes/s; smaller ones
// take constants of the program (astra-sim-alibabacloud, workload/Layer.cc, compute_time).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/exporters/exporters.hpp"
#include "model/exporters/network_rows.hpp"

namespace assay::model::exporters {
namespace {

using fit::CollectiveRow;

constexpr double least_bytes = 1048576;

struct OperationName {
  const char *ours, *theirs;
};
constexpr std::array<OperationName, 4> operations{{{"all_reduce", "allreduce"},
                                                   {"all_gather", "allgather"},
                                                   {"reduce_scatter", "reducescatter"},
                                                   {"all_to_all", "alltoall"}}};

FittedFormula fit_busbw(const std::vector<CollectiveRow>& rows, std::uint64_t seed) {
  double most_b_per_us = 0;
  for (const CollectiveRow& row : rows)
    most_b_per_us = std::max(most_b_per_us, ring_bytes(row) / row.time_us);
  const Formula<CollectiveRow> formula{
      .names = {"busbw_gib_per_s"},
      .start = {most_b_per_us / gib_per_s},
      .time_us = [](const CollectiveRow& row,
                    std::span<const double> busbw) { return ring_bytes(row) / (busbw[0] * gib_per_s); },
      .size = [](const CollectiveRow& row) { return row.size_bytes; }};
  return fit_formula(rows, formula, seed);
}

std::vector<CollectiveRow> of_operation(const std::vector<CollectiveRow>& rows, const char* operation) {
  std::vector<CollectiveRow> own;
  for (const CollectiveRow& row : rows)
    if (row.operation == operation) own.push_back(row);
  return own;
}

Exported export_simai(const ExportRequest& request) {
  ExportRequest large = request;
  large.least_bytes = std::max(request.least_bytes, least_bytes);
  const auto rows = network_rows(large, "SimAI from 1 MiB on",
                                 {"all_reduce", "all_gather", "reduce_scatter", "all_to_all"});
  Exported made;
  std::string yaml = "test\nTP:\n";
  for (const auto& [ours, theirs] : operations) {
    const std::vector<CollectiveRow> own = of_operation(rows, ours);
    if (own.size() < fewest_network_rows) {
      yaml += fmt::format("{},: null\n", theirs);
      continue;
    }
    FittedFormula busbw = fit_busbw(own, request.seed);
    yaml += fmt::format("{},: {:.6g}\n", theirs, busbw.value(0));
    if (std::string(ours) == "all_reduce")
      made.notes.push_back(fmt::format("SimAI_analytical -g_p_s {} -nv {:.6g} gives the same all_reduce",
                                       rows.front().ranks, busbw.value(0)));
    made.fits.emplace_back(ours, std::move(busbw));
  }
  made.files.push_back({"", yaml});
  made.notes.emplace_back("below 1 MiB SimAI uses built-in constants, which no measurement can replace");
  return made;
}

}  // namespace

Exporter simai_exporter() {
  return {.name = "simai", .about = "busbw.yaml, and the argument -nv", .uses = {}, .write = export_simai};
}

}  // namespace assay::model::exporters
