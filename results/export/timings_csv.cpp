// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/export/timings_csv.hpp"

#include <fmt/format.h>

#include "results/export/timings_writer.hpp"
#include "results/points/collective_points.hpp"

namespace assay::results {
namespace {

/// The time of a corruption probe holds its comparisons too.
bool is_product(const StoredPoint& point) {
  return point.status == Status::ok && point.time_s > 0 && !point.benchmark().starts_with("corruption");
}

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
  return fmt::format("{},{},{},{},{},{},{}", size("m"), size("n"), size("k"),
                     field_text(point.axes, {"dtype"}), csv_cell(gemm_conditions(point, record)),
                     csv_cell(host), csv_times(point));
}

}  // namespace

TimingsCsv gemm_timings_csv(const Store& store, const std::optional<std::string>& run_id) {
  TimingsWriter csv(store, run_id, "gemm", "m,n,k,dtype,layout,machine,time_us,time_min_us,time_max_us");
  for (const StoredPoint& point : csv.timings("gemm.*", is_product)) {
    const PointRecord& record = csv.run().record(point.id);
    if (!field_integer(record.derived, {"n"}) || field_text(point.axes, {"dtype"}).empty())
      csv.leave_out();  // a peak, not a product
    else
      csv.add(point, gemm_row(point, record, csv.host()));
  }
  return csv.finish("a GEMM");
}

TimingsCsv collective_timings_csv(const Store& store, const std::optional<std::string>& run_id) {
  TimingsWriter csv(store, run_id, "collectives",
                    "op,ranks,size_bytes,dtype,algorithm,source,time_us,time_min_us,time_max_us");
  for (const CollectivePoint& point : collective_points(csv.run(), "collectives.*")) {
    const std::int64_t bytes = point.bytes().value_or(0);
    if (point.not_a_performance_measurement() || point.ranks() < 2 || bytes < 1 ||
        !(point.point.time_s > 0)) {
      csv.leave_out();
      continue;
    }
    Fields rest = point.point.axes;
    for (const char* axis : {"bytes", "dtype", "algorithm", "protocol"}) rest = without(rest, axis);
    csv.add(point.point,
            fmt::format("{},{},{},{},{},{},{}", point.operation(), point.ranks(), bytes,
                        field_text(point.point.axes, {"dtype"}), csv_cell(point.contender()),
                        csv_cell(fmt::format("{}/{}{}", csv.host(), point.point.back_end(), text_of(rest))),
                        csv_times(point.point)));
  }
  return csv.finish("a collective");
}

}  // namespace assay::results
