// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/export/timings_csv.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

#include "results/export/timings_text.hpp"
#include "results/points/collective_points.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

constexpr auto no_limit = std::numeric_limits<std::int64_t>::max();

/// Of the values of a GEMM point what is neither its shape nor its type.
std::string gemm_conditions(const StoredPoint& point, const PointRecord& record) {
  std::string text = point.back_end() + " " + field_text(record.derived, {"layout"});
  for (const char* axis : {"data", "cache", "algorithm"})
    if (const std::string value = field_text(point.axes, {axis}); !value.empty()) text += " " + value;
  if (const std::string threads = field_text(point.axes, {"threads"}); !threads.empty())
    text += " threads=" + threads;
  return text;
}

std::string gemm_row(const StoredPoint& point, const PointRecord& record, const std::string& host) {
  const auto size = [&](const char* name) {
    return field_integer(record.derived, {name}).value_or(field_integer(point.axes, {name}).value_or(0));
  };
  return fmt::format("{},{},{},{},{},{},{}\n", size("m"), size("n"), size("k"),
                     field_text(point.axes, {"dtype"}), csv_cell(gemm_conditions(point, record)),
                     csv_cell(host), csv_times(point));
}

}  // namespace

TimingsCsv gemm_timings_csv(const Store& store, const std::optional<std::string>& run_id) {
  const RunPoints run(store, run_id, no_limit);
  const std::string host = one_host(store, run.stored(), "gemm");
  TimingsCsv csv{.text = "m,n,k,dtype,layout,machine,time_us,time_min_us,time_max_us\n"};
  std::vector<StoredPoint> usable;
  for (StoredPoint& point : run.rows("gemm.*")) {
    // The time of a corruption probe holds its comparisons too.
    if (point.status == Status::ok && point.time_s > 0 && !point.benchmark().starts_with("corruption"))
      usable.push_back(std::move(point));
    else
      ++csv.left_out;
  }
  for (const StoredPoint& point : combine_repetitions(std::move(usable))) {
    const PointRecord& record = run.record(point.id);
    if (!field_integer(record.derived, {"n"}) || field_text(point.axes, {"dtype"}).empty()) {
      ++csv.left_out;  // a peak, not a product
      continue;
    }
    add_row(csv, gemm_row(point, record, host), point, host);
  }
  finish_rows(csv, store, run.stored(), "gemm", "a GEMM");
  return csv;
}

TimingsCsv collective_timings_csv(const Store& store, const std::optional<std::string>& run_id) {
  const RunPoints run(store, run_id, no_limit);
  const std::string host = one_host(store, run.stored(), "collectives");
  TimingsCsv csv{.text = "op,ranks,size_bytes,dtype,algorithm,source,time_us,time_min_us,time_max_us\n"};
  for (const CollectivePoint& point : collective_points(run, "collectives.*")) {
    const std::int64_t bytes = field_integer(point.point.axes, {"bytes"}).value_or(0);
    if (point.not_a_performance_measurement() || point.ranks() < 2 || bytes < 1 ||
        !(point.point.time_s > 0)) {
      ++csv.left_out;
      continue;
    }
    Fields rest = point.point.axes;
    for (const char* axis : {"bytes", "dtype", "algorithm", "protocol"}) rest = without(rest, axis);
    add_row(csv,
            fmt::format("{},{},{},{},{},{},{}\n", point.operation(), point.ranks(), bytes,
                        field_text(point.point.axes, {"dtype"}), csv_cell(point.contender()),
                        csv_cell(fmt::format("{}/{}{}", host, point.point.back_end(), text_of(rest))),
                        csv_times(point.point)),
            point.point, host);
  }
  finish_rows(csv, store, run.stored(), "collectives", "a collective");
  return csv;
}

}  // namespace assay::results
