// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/point_rows.hpp"

#include <fmt/format.h>

#include <optional>

#include "results/record/json/record_json.hpp"
#include "results/store/stored_records.hpp"

namespace assay::results {
namespace {

// Columns of both kinds of row.
constexpr const char* number_columns =
    "SELECT p.id, p.key, p.status, p.n, p.time_s, p.lower_s, p.upper_s, p.drifting, p.metric, p.value, "
    "p.lower, p.upper, iif(p.metric = 'efficiency', p.value, m.value), "
    "iif(p.metric = 'efficiency', p.lower, m.lower), iif(p.metric = 'efficiency', p.upper, m.upper), "
    "iif(p.metric = 'efficiency', p.unit, m.unit)";
constexpr const char* other_columns =
    ", p.process, p.sequence, c.name, p.axes, p.repetition, p.reason, p.stop, p.work_bytes, p.work_flops, "
    "p.unit";
constexpr const char* join_efficiency =
    "LEFT JOIN more_metrics m ON m.point = p.id AND m.name = 'efficiency' ";

Number number_from(const Statement& row, int column) {
  return {row.number(column), row.optional_number(column + 1), row.optional_number(column + 2)};
}

/// The efficiency as a share of peak; 1 is the peak.
std::optional<Number> efficiency_from(const Statement& row) {
  if (row.is_null(12)) return std::nullopt;
  const double scale = row.view(15) == "%" ? 0.01 : 1;
  return mapped(number_from(row, 12), [&](double value) { return scale * value; });
}

}  // namespace

std::string whole_points(const std::string& from) {
  return std::string(number_columns) + other_columns + " FROM " + from +
         " JOIN cases c ON c.id = p.case_id " + join_efficiency;
}

StoredPoint whole_point(const Statement& row) {
  StoredPoint point;
  point.id = row.integer(0);
  point.key = row.text(1);
  point.status = static_cast<Status>(row.integer(2));
  point.n = row.integer(3);
  point.time_s = row.number(4);
  point.lower_s = row.number(5);
  point.upper_s = row.number(6);
  point.drifting = row.integer(7) != 0;
  point.metric = row.text(8);
  point.headline = number_from(row, 9);
  point.efficiency = efficiency_from(row);
  point.process = row.integer(16);
  point.sequence = row.integer(17);
  point.case_name = row.text(18);
  point.axes = stored_fields(row.view(19));
  point.repetition = row.integer(20);
  point.reason = row.text(21);
  point.stop = row.text(22);
  point.work_bytes = row.number(23);
  point.work_flops = row.number(24);
  point.unit = row.text(25);
  return point;
}

std::vector<RowRange> rows_of_case(const Store& store, const StoredRun& run, const StoredCase& of_case) {
  Statement query = store.database().prepare(
      "SELECT first_point, last_point FROM case_ranges WHERE run = ? AND case_id = ? ORDER BY first_point");
  query.bind(run.id, of_case.id);
  std::vector<RowRange> ranges;
  while (query.step()) ranges.push_back({query.integer(0), query.integer(1)});
  return ranges;
}

RepetitionRows::RepetitionRows(const Store& store)
    : rows_(store.database().prepare(std::string(number_columns) + " FROM points p " + join_efficiency +
                                     "WHERE p.id BETWEEN ? AND ?")) {}

void RepetitionRows::start(const RowRange& rows) { rows_.bind(rows.first, rows.last); }

std::string_view RepetitionRows::key() const { return rows_.view(1); }

std::string_view RepetitionRows::metric() const { return rows_.view(8); }

Status RepetitionRows::status() const { return static_cast<Status>(rows_.integer(2)); }

RepetitionNumbers RepetitionRows::numbers() const {
  return {.n = rows_.integer(3),
          .drifting = rows_.integer(7) != 0,
          .headline = number_from(rows_, 9),
          .time_s = {rows_.number(4), rows_.number(5), rows_.number(6)},
          .efficiency = efficiency_from(rows_)};
}

StoredPoint RepetitionRows::point() const {
  StoredPoint point;
  point.id = rows_.integer(0);
  point.key = key();
  point.metric = metric();
  point.status = status();
  set_numbers(point, numbers());
  return point;
}

PointReader::PointReader(const Store& store)
    : row_(store.database().prepare(whole_points() + "WHERE p.id = ?")) {}

StoredPoint PointReader::read(std::int64_t point) {
  if (!row_.bind(point).step())
    throw DamagedStore(fmt::format("a point of the store is not there whole: id {}", point));
  return whole_point(row_);
}

}  // namespace assay::results
