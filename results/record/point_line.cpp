// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/point_line.hpp"

#include <limits>

#include "results/record/json_cursor.hpp"
#include "results/record/line_crc.hpp"
#include "results/record/older_form.hpp"
#include "results/record/record_rules.hpp"

namespace assay::results {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What to_line() begins the line of a point with; another schema is read elsewhere.
constexpr std::string_view beginning = R"({"record":"point","schema":2)";
static_assert(schema_version == 2);

/// What a row does not keep, and the schema limits.
struct Rest {
  double quantile = 0, confidence = 0;
  std::string_view verification = "not_checked", conditions;
};

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

bool is_as_the_schema_says(const PointRow& row, const Rest& rest) {
  return !row.run_id.empty() && !row.case_name.empty() && row.process >= 0 && row.sequence >= 0 &&
         row.repetition >= 0 && row.n >= 0 && is_share_of_one(rest.quantile) &&
         is_share_of_one(rest.confidence) && core::verification_result_from(rest.verification) &&
         is_stop_reason(row.stop) && !is_of_older_form(rest.conditions) && !has_older_types(row.axes) &&
         !(row.work_bytes < 0) && !(row.work_flops < 0) && key_agrees_with(row.key, row.axes);
}

/// A row does not keep them. False where one has no name.
bool pass_units(JsonCursor& at) {
  bool named = true;
  at.take('[');
  do {
    named = !at.take('{').key("kind").text().empty() && named;
    named = !at.key("id").text().empty() && named;
    at.take('}');
  } while (at.has(','));
  at.take(']');
  return named;
}

bool read_identity(JsonCursor& at, PointRow& row) {
  row.run_id = at.key("run_id").text();
  row.process = at.key("process").integer();
  row.sequence = at.key("sequence").integer();
  at.key("module").text();
  row.case_name = at.key("case").text();
  row.axes = at.key("point").fields();
  row.key = at.key("key").text();
  row.repetition = at.key("repetition").integer();
  at.key("derived").fields();
  return !at.has_key("units") || pass_units(at);
}

bool read_status(JsonCursor& at, PointRow& row) {
  const auto status = status_from(at.key("status").text());
  if (!status) return false;
  row.status = *status;
  row.reason = at.key("reason").text();
  row.started = at.key("started").text();
  row.elapsed_s = at.key("elapsed_s").number();
  return true;
}

void read_time(JsonCursor& at, PointRow& row, Rest& rest) {
  row.time_s = row.lower_s = row.upper_s = unknown;
  if (!at.has_key("time")) return;
  at.take('{');
  rest.quantile = at.key("quantile").number();
  rest.confidence = at.key("confidence").number();
  row.time_s = at.key("value_s").number();
  row.lower_s = at.key("lower_s").number();
  row.upper_s = at.key("upper_s").number();
  at.key("bounded").boolean();
  row.n = at.key("n").integer();
  at.key("n_effective").pass_number();
  at.key("min_s").pass_number();
  at.key("max_s").pass_number();
  at.key("mean_s").pass_number();
  at.key("cv").pass_number();
  if (at.has_key("p95_s")) at.pass_number();
  if (at.has_key("p99_s")) at.pass_number();
  if (at.has_key("p999_s")) at.pass_number();
  at.take('}');
}

void read_metrics(JsonCursor& at, PointRow& row) {
  at.key("metrics").take('[');
  if (at.has(']')) return;
  do {
    at.take('{');
    MetricRow& metric = row.metrics.emplace_back();
    metric.name = at.key("name").text();
    metric.unit = at.key("unit").text();
    metric.value = at.key("value").number();
    if (at.has_key("lower")) metric.lower = at.number();
    if (at.has_key("upper")) metric.upper = at.number();
    at.take('}');
  } while (at.has(','));
  at.take(']');
}

void read_course(JsonCursor& at, PointRow& row, Rest& rest) {
  at.key("work").take('{');
  row.work_bytes = at.key("bytes").number();
  row.work_flops = at.key("flops").number();
  at.key("bytes_counted").text();
  at.take('}');
  row.stop = at.key("stop").text();
  row.drifting = at.key("drifting").boolean();
  at.key("iterations_per_sample").integer();
  at.key("cold_first_s").pass_number();
  at.key("warmup").take('{');
  at.key("seconds").pass_number();
  at.key("samples").integer();
  at.key("stationary").boolean();
  at.key("last_moving").text();
  at.take('}').key("verification").take('{');
  rest.verification = at.key("result").text();
  at.key("why").text();
  at.key("digest").text();
  at.take('}');
}

/// Where the record ends and the samples begin.
std::size_t read_measurement(JsonCursor& at, PointRow& row, Rest& rest) {
  read_time(at, row, rest);
  read_metrics(at, row);
  read_course(at, row, rest);
  rest.conditions = at.key("conditions").fields();
  const std::size_t end = at.place();
  at.key("samples_s").numbers(row.samples_s);
  if (at.has_key("sm_cycles")) at.numbers(row.sm_cycles);
  return end;
}

std::size_t read_what_is_left(JsonCursor& at, PointRow& row) {
  row.time_s = row.lower_s = row.upper_s = unknown;
  if (at.has_key("conditions")) at.fields();
  return at.place();
}

}  // namespace

std::optional<PointRow> point_row(char* begin, std::size_t size, std::pmr::memory_resource* memory) {
  const std::string_view line(begin, size);
  if (!line.starts_with(beginning)) return std::nullopt;
  const auto intact = intact_line(line);
  if (!intact) return std::nullopt;
  JsonCursor at(intact->body);
  PointRow row(memory);
  at.take(beginning);
  if (!read_identity(at, row) || !read_status(at, row)) return std::nullopt;
  const bool measured = row.status == Status::ok || row.status == Status::wrong;
  Rest rest;
  const std::size_t end = measured ? read_measurement(at, row, rest) : read_what_is_left(at, row);
  if (!at.at_end() || !is_as_the_schema_says(row, rest)) return std::nullopt;
  row.crc = intact->crc;
  begin[end] = '}';  // was the comma before the samples or the CRC
  row.record = std::string_view(begin, end + 1);
  return row;
}

}  // namespace assay::results
