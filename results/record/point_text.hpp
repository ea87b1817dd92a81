// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The order in which to_line() writes a point, for a PointRow and a PointRecord alike: the type of a member
// says what becomes of the value. Private to results/record.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <utility>

#include "results/record/json_cursor.hpp"
#include "results/record/point_line.hpp"
#include "results/record/record_rules.hpp"

namespace assay::results {

/// The beginning of a point's line as to_line() writes it; another schema is read elsewhere.
constexpr std::string_view beginning_of_point = R"({"record":"point","schema":2)";
static_assert(schema_version == 2);

inline void read(JsonCursor& at, std::string_view& into) { into = at.text(); }
inline void read(JsonCursor& at, std::string& into) { into = at.text(); }
inline void read(JsonCursor& at, std::int64_t& into) { into = at.integer(); }
inline void read(JsonCursor& at, double& into) { into = at.number(); }
inline void read(JsonCursor& at, bool& into) { into = at.boolean(); }
inline void read(JsonCursor& at, FieldsText& into) { into.json = at.fields(); }
inline void read(JsonCursor& at, std::optional<double>& into) {
  const double value = at.number();
  if (!std::isnan(value)) into = value;
}
inline void read(JsonCursor& at, Passed<std::string>&) { at.text(); }
inline void read(JsonCursor& at, Passed<std::int64_t>&) { at.integer(); }
inline void read(JsonCursor& at, Passed<double>&) { at.pass_number(); }
inline void read(JsonCursor& at, Passed<std::optional<double>>&) { at.pass_number(); }
inline void read(JsonCursor& at, Passed<bool>&) { at.boolean(); }
inline void read(JsonCursor& at, Passed<Fields>&) { at.fields(); }

inline void read(JsonCursor& at, int& rank) {
  const std::int64_t value = at.integer();
  if (!std::in_range<int>(value) || value < 0) at.refuse();
  rank = static_cast<int>(value);
}
inline void read(JsonCursor& at, std::uint64_t& count) {
  const std::int64_t value = at.integer();
  if (value < 0) at.refuse();
  count = static_cast<std::uint64_t>(value);
}

template <class Enum>
void read_word(JsonCursor& at, Enum& into, std::optional<Enum> (*of_word)(std::string_view)) {
  if (const std::optional<Enum> value = of_word(at.text()))
    into = *value;
  else
    at.refuse();
}

/// A member that may be absent.
template <std::size_t size, class Value>
void read_if_there(JsonCursor& at, const char (&name)[size], Value& into) {
  if (at.has_key(name)) read(at, into);
}

template <class Any>
  requires std::same_as<Any, Metric> || std::same_as<Any, MetricRow>
void read(JsonCursor& at, Any& metric) {
  at.take('{');
  read(at.key("name"), metric.name);
  read(at.key("unit"), metric.unit);
  read(at.key("value"), metric.value);
  read_if_there(at, "lower", metric.lower);
  read_if_there(at, "upper", metric.upper);
  at.take('}');
}

void read(JsonCursor& at, Fields& into);
void read(JsonCursor& at, UnitReport& into);
void read(JsonCursor& at, RankReport& into);
void read(JsonCursor& at, core::CounterReport& into);
void read(JsonCursor& at, LinkReport& into);
void read(JsonCursor& at, FlowReport& into);

/// A list that is not empty.
template <class Part, class Memory>
void read(JsonCursor& at, std::vector<Part, Memory>& parts) {
  at.take('[');
  do {
    read(at, parts.emplace_back());
  } while (at.has(','));
  at.take(']');
}
template <class Part>
void read(JsonCursor& at, Passed<std::vector<Part>>&) {
  std::vector<Part> parts;
  read(at, parts);
}

template <class Time>
void read_time(JsonCursor& at, Time& time) {
  at.take('{');
  read(at.key("quantile"), time.quantile);
  read(at.key("confidence"), time.confidence);
  read(at.key("value_s"), time.value_s);
  read(at.key("lower_s"), time.lower_s);
  read(at.key("upper_s"), time.upper_s);
  read(at.key("bounded"), time.bounded);
  read(at.key("n"), time.n);
  read(at.key("n_effective"), time.n_effective);
  read(at.key("min_s"), time.min_s);
  read(at.key("max_s"), time.max_s);
  read(at.key("mean_s"), time.mean_s);
  read(at.key("cv"), time.cv);
  read_if_there(at, "p95_s", time.p95_s);
  read_if_there(at, "p99_s", time.p99_s);
  read_if_there(at, "p999_s", time.p999_s);
  at.take('}');
}

template <class Point>
void read_identity(JsonCursor& at, Point& point) {
  read(at.key("run_id"), point.run_id);
  read(at.key("process"), point.process);
  read(at.key("sequence"), point.sequence);
  read(at.key("module"), point.module);
  read(at.key("case"), point.case_name);
  read(at.key("point"), point.point);
  read(at.key("key"), point.key);
  read(at.key("repetition"), point.repetition);
  read(at.key("derived"), point.derived);
  read_if_there(at, "units", point.units);
  read_word(at.key("status"), point.status, status_from);
  read(at.key("reason"), point.reason);
  read(at.key("started"), point.started);
  read(at.key("elapsed_s"), point.elapsed_s);
}

template <class Point>
void read_course(JsonCursor& at, Point& point) {
  at.key("work").take('{');
  read(at.key("bytes"), point.work_bytes);
  read(at.key("flops"), point.work_flops);
  read(at.key("bytes_counted"), point.bytes_counted);
  at.take('}');
  read(at.key("stop"), point.stop);
  read(at.key("drifting"), point.drifting);
  read(at.key("iterations_per_sample"), point.iterations_per_sample);
  read(at.key("cold_first_s"), point.cold_first_s);
  at.key("warmup").take('{');
  read(at.key("seconds"), point.warmup.seconds);
  read(at.key("samples"), point.warmup.samples);
  read(at.key("stationary"), point.warmup.stationary);
  read(at.key("last_moving"), point.warmup.last_moving);
  at.take('}').key("verification").take('{');
  read_word(at.key("result"), point.verification.result, core::verification_result_from);
  read(at.key("why"), point.verification.why);
  read(at.key("digest"), point.verification.digest);
  at.take('}');
}

/// All but the samples, which only a measured point has.
template <class Point>
void read_point(JsonCursor& at, Point& point) {
  at.take(beginning_of_point);
  read_identity(at, point);
  if (!at.good() || !is_measured(point.status)) return read_if_there(at, "conditions", point.conditions);
  if (at.has_key("time")) read_time(at, point.time.emplace());
  if (!at.key("metrics").has("[]")) read(at, point.metrics);
  read_course(at, point);
  read_if_there(at, "ranks", point.ranks);
  read_if_there(at, "links", point.links);
  read_if_there(at, "flows", point.flows);
  read(at.key("conditions"), point.conditions);
}

template <class Point>
void read_samples(JsonCursor& at, Point& point) {
  if (!is_measured(point.status)) return;
  at.key("samples_s").numbers(point.samples_s);
  if (at.has_key("sm_cycles")) at.numbers(point.sm_cycles);
}

/// Whether a point follows the schema beyond types, but for axes and their key.
template <class Point>
bool is_as_the_schema_says(const Point& point) {
  return !point.run_id.empty() && !point.case_name.empty() && point.process >= 0 && point.sequence >= 0 &&
         point.repetition >= 0 && is_stop_reason(point.stop) && !(point.work_bytes < 0) &&
         !(point.work_flops < 0) &&
         (!point.time || (is_share_of_one(point.time->quantile) && is_share_of_one(point.time->confidence) &&
                          point.time->n >= 0));
}

}  // namespace assay::results
