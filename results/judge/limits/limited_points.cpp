// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/limits/limited_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/core/text/glob.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/core/units.hpp"
#include "results/points/link_state.hpp"
#include "results/points/point_doubts.hpp"
#include "results/record/json/older_power.hpp"
#include "results/record/json/record_json.hpp"
#include "results/record/record.hpp"
#include "results/store/measured_unit.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

/// Columns of limited_points_query(), in order.
namespace column {
enum : int {
  run,
  process,
  case_name,
  key,
  axes,
  status,
  reason,
  n,
  unit,
  value,
  lower,
  upper,
  record,
  samples,
  evidence
};
}

std::string limited_points_query() {
  return "SELECT p.run, p.process, c.name, p.key, p.axes, p.status, p.reason, p.n, "
         "iif(p.metric = ?1, p.unit, m.unit), iif(p.metric = ?1, p.value, m.value), "
         "iif(p.metric = ?1, p.lower, m.lower), iif(p.metric = ?1, p.upper, m.upper), p.record, "
         "p.samples_s, " +
         std::string(point_evidence_columns) +
         "FROM points p JOIN cases c ON c.id = p.case_id LEFT JOIN more_metrics m ON m.point = p.id AND "
         "m.name = ?1 WHERE c.name GLOB ?2 AND (?3 = '' OR c.name GLOB ?3 OR c.name || '/' || p.key GLOB ?3) "
         "ORDER BY p.run, p.process, p.sequence";
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : core::json_text(value);
}

/// "256MiB" is the value 268435456, too.
bool value_matches(const std::string& wanted, const Json& value) {
  if (core::glob_matches(wanted, text_of(value))) return true;
  if (!value.is_number_integer() || wanted.find('B') == std::string::npos) return false;
  try {
    return core::parse_bytes(wanted) == value.get<std::int64_t>();
  } catch (const core::Error&) {
    return false;
  }
}

const Json* find(const Json& object, const std::string& name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

/// Without a look at the record, which takes longer: no axis is there and other.
bool may_match(const AbsoluteLimit& limit, const Json& axis_values) {
  return std::ranges::all_of(limit.point, [&](const auto& wanted) {
    const Json* value = find(axis_values, wanted.first);
    return value == nullptr || value_matches(wanted.second, *value);
  });
}

/// Axes first, then what held while it ran.
bool matches(const AbsoluteLimit& limit, const Json& axis_values, const Json& conditions) {
  return std::ranges::all_of(limit.point, [&](const auto& wanted) {
    const Json* value = find(axis_values, wanted.first);
    if (value == nullptr) value = find(conditions, wanted.first);
    return value != nullptr && value_matches(wanted.second, *value);
  });
}

Number value_in(const Statement& row) {
  return {row.number(column::value), row.optional_number(column::lower), row.optional_number(column::upper)};
}

/// Why readers leave power out; empty where they do not.
std::string power_left_out(Json record) {
  record["samples_s"] = Json::array();  // the store keeps them apart
  return field_text(std::get<PointRecord>(from_json(record)).conditions, {core::names::power_left_out});
}

/// Why the metric has no interval of its own; "" where it has.
std::string no_interval(const AbsoluteLimit& limit, const Statement& row, const Json& record) {
  const Json* time = find(record, "time");
  const Json* bounded = time == nullptr ? nullptr : find(*time, "bounded");
  if (bounded == nullptr || *bounded != true) return "too few samples for an interval of 95 %";
  if (row.is_null(column::lower) || row.is_null(column::upper))
    return fmt::format("metric '{}' has no interval", limit.metric);
  return "";
}

std::string why_not(const AbsoluteLimit& limit, const Statement& row, const PointEvidence& evidence,
                    const Json& record) {
  const auto state = static_cast<Status>(row.integer(column::status));
  if (state != Status::ok) return to_string(state) + ": " + row.text(column::reason);
  if (const auto doubt = doubt_about(evidence, row.numbers(column::samples))) return doubt->why;
  if (is_power_metric(limit.metric))
    if (const std::string why = power_left_out(record); !why.empty())
      return limit.metric + " was left out: " + why;
  if (row.is_null(column::value)) return fmt::format("the point has no metric '{}'", limit.metric);
  if (row.text(column::unit) != limit.unit)
    throw std::runtime_error(fmt::format("{}: {} of {} is limited in '{}', and measured in '{}'", limit.where,
                                         limit.metric, row.text(column::case_name), limit.unit,
                                         row.text(column::unit)));
  if (!evidence.is_aggregate())
    if (std::string why = no_interval(limit, row, record); !why.empty()) return why;
  if (const auto doubt = doubt_about_value(limit.metric, limit.unit, value_in(row))) return doubt->why;
  return "";
}

std::string moving_in(const Json& record) {
  const Json warmup = record.value("warmup", Json::object());
  return results::still_moving(
      {.stationary = warmup.value("stationary", true), .last_moving = warmup.value("last_moving", "")});
}

/// The measuring host, and the hosts of the ranks where the record names them.
std::set<std::string> hosts_of(const std::string& measurer, const Json& conditions,
                               const std::vector<RankReport>& ranks) {
  std::set<std::string> hosts{measurer};
  if (const Json* own = find(conditions, "host"); own != nullptr && own->is_string())
    hosts.insert(own->get<std::string>());
  for (const auto& [rank, host] : hosts_by_rank({}, ranks)) hosts.insert(host);
  return hosts;
}

/// A row of case, axes and record; the record is parsed where the axes leave it open.
bool has_limit(const Statement& row, std::span<const LimitsFile> files) {
  const std::string case_name = row.text(0);
  const Json axes = core::json_from<Json>(row.text(1));
  std::optional<Json> conditions;
  const auto is_about = [&](const AbsoluteLimit& limit) {
    if (!core::glob_matches(limit.cases, case_name) || !may_match(limit, axes)) return false;
    if (!conditions) conditions = core::json_from<Json>(row.text(2)).value("conditions", Json::object());
    return matches(limit, axes, *conditions);
  };
  return std::ranges::any_of(
      files, [&](const LimitsFile& file) { return std::ranges::any_of(file.limits, is_about); });
}

}  // namespace

LimitedPoints points_of(const Store& store, const std::string& filter, const AbsoluteLimit& limit,
                        const std::map<Process, Measurer>& measurers) {
  LimitedPoints found;
  Statement rows = store.database().prepare(limited_points_query());
  rows.bind(limit.metric, limit.cases, filter);
  while (rows.step()) {
    const auto found_measurer = measurers.find({rows.integer(column::run), rows.integer(column::process)});
    if (found_measurer == measurers.end()) continue;
    const Measurer& measurer = found_measurer->second;
    const Json axes = core::json_from<Json>(rows.text(column::axes));
    if (!may_match(limit, axes)) continue;
    const Json record = core::json_from<Json>(rows.text(column::record));
    const Json conditions = record.value("conditions", Json::object());
    if (!matches(limit, axes, conditions)) continue;
    if (measurer.together && static_cast<Status>(rows.integer(column::status)) == Status::ok) {
      ++found.together;
      continue;
    }
    const PointIdentity identity = identity_of(rows.text(column::case_name), rows.text(column::key));
    const PointEvidence evidence = evidence_from(rows, column::evidence);
    found.points.push_back({.unit = identity.unit(measurer.host),
                            .metric = identity.metric,
                            .of_gpu = !identity.gpu.empty(),
                            .why_not = why_not(limit, rows, evidence, record),
                            .value = value_in(rows),
                            .n = rows.is_null(column::n) ? 0 : rows.integer(column::n),
                            .origin = measurer.origin,
                            .hosts = hosts_of(measurer.host, conditions, evidence.ranks),
                            .still_moving = moving_in(record),
                            .run = rows.integer(column::run),
                            .is_aggregate = evidence.is_aggregate(),
                            .definition = evidence.definition});
  }
  return found;
}

bool every_point_has_limit(const Store& store, const std::string& filter, std::span<const LimitsFile> files) {
  Statement rows = store.database().prepare(
      "SELECT c.name, p.axes, p.record FROM points p JOIN cases c ON c.id = p.case_id "
      "WHERE ?1 = '' OR c.name GLOB ?1 OR c.name || '/' || p.key GLOB ?1");
  rows.bind(filter);
  while (rows.step())
    if (!has_limit(rows, files)) return false;
  return true;
}

}  // namespace assay::results
