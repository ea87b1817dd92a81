// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/json/point_line.hpp"

#include <algorithm>

#include "results/record/json/older_form.hpp"
#include "results/record/json/older_power.hpp"
#include "results/record/json/point_text.hpp"
#include "results/record/line_crc.hpp"

namespace assay::results {
namespace {

/// `axes` as JsonCursor::fields() takes them: no text has an escape or a quote.
bool key_agrees_with(std::string_view key, std::string_view axes) {
  for (std::size_t at = axes.find('"'); at != std::string_view::npos; at = axes.find('"', at)) {
    const std::size_t end = axes.find('"', at + 1), begin = end + 2;  // behind the colon
    const std::string_view name = axes.substr(at + 1, end - at - 1);
    const bool is_text = axes[begin] == '"';
    const std::size_t stop = is_text ? axes.find('"', begin + 1) : axes.find_first_of(",}", begin);
    const std::string_view value = axes.substr(begin + (is_text ? 1 : 0), stop - begin - (is_text ? 1 : 0));
    const bool is_whole = is_text || value.find_first_not_of("-0123456789") == std::string_view::npos;
    if (is_whole && !key_agrees(key, name, value)) return false;
    at = stop + 1;
  }
  return true;
}

/// The point in today's form; nothing where it was not read to its end or breaks the schema's rules.
std::optional<PointRecord> checked(const JsonCursor& at, PointRecord point) {
  if (!at.at_end() || !axis_denied_by_key(point.key, point.point).empty()) return std::nullopt;
  read_older_form(point);
  read_older_types(point);
  read_older_power(point);
  return point;
}

/// Rows hold what records of today say: what older ones say in words is left to from_line().
bool is_of_today(const PointRow& row) {
  return !is_of_older_form(row.conditions.json) && !has_older_types(row.point.json) &&
         std::ranges::none_of(row.metrics, is_older_metric, &MetricRow::name);
}

}  // namespace

std::optional<PointRow> point_row(char* begin, std::size_t size, std::pmr::memory_resource* memory) {
  const std::string_view line(begin, size);
  if (!line.starts_with(beginning_of_point)) return std::nullopt;
  const auto intact = intact_line(line);
  if (!intact) return std::nullopt;
  JsonCursor at(intact->body);
  PointRow row(memory);
  take_point(at, row);
  const std::size_t end = at.place();
  take_samples(at, row);
  if (!at.at_end() || !is_of_today(row) || !key_agrees_with(row.key, row.point.json)) return std::nullopt;
  row.crc = intact->crc;
  begin[end] = '}';  // was the comma before the samples or the CRC
  row.record = std::string_view(begin, end + 1);
  return row;
}

std::optional<PointRecord> point_of_line(std::string_view body) {
  JsonCursor at(body);
  PointRecord point;
  take_point(at, point);
  take_samples(at, point);
  return checked(at, std::move(point));
}

std::optional<PointRecord> point_of_row(std::string_view record) {
  JsonCursor at(record);
  PointRecord point;
  take_point(at, point);
  at.take('}');
  return checked(at, std::move(point));
}

std::optional<Fields> fields_of(std::string_view json) {
  JsonCursor at(json);
  Fields fields;
  take(at, core::any_value, core::Type<Fields>(), fields);
  return at.at_end() ? std::optional(std::move(fields)) : std::nullopt;
}

}  // namespace assay::results
