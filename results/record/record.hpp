// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The records of a run: one context per process start, one point record per measured point. The JSON form is
// results/record/json/record_json.hpp and results/record/schema/*.json.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/core/measure/report.hpp"

namespace assay::results {

inline constexpr int schema_version = 2;

using core::FlowReport;
using core::LinkClass;
using core::LinkReport;
using core::Metric;
using core::RankReport;
using core::Scalar;
using core::UnitReport;
using core::Verification;
using Fields = std::vector<core::Fact>;  // ordered

enum class Origin { measured, imported, simulated, predicted };
enum class Status { ok, unsupported, failed, wrong, timeout };
constexpr auto words_for(core::Type<Origin>) {
  return core::words_of<Origin>("measured", "imported", "simulated", "predicted");
}
constexpr auto words_for(core::Type<Status>) {
  return core::words_of<Status>("ok", "unsupported", "failed", "wrong", "timeout");
}

/// Time per iteration: the reported quantile with its interval, and the shape of the samples.
struct TimeSummary {
  double quantile = 0.5, confidence = 0.95;
  double value_s = 0, lower_s = 0, upper_s = 0;
  bool bounded = false;  // false: too few samples, bounds are min and max
  std::int64_t n = 0;
  double n_effective = 0;
  double min_s = 0, max_s = 0, mean_s = 0, cv = 0;
  std::optional<double> p95_s, p99_s, p999_s;
};
constexpr auto fields_of(core::Type<TimeSummary>) {
  using core::Field, core::share;
  return std::tuple(Field<"quantile", &TimeSummary::quantile>{share},
                    Field<"confidence", &TimeSummary::confidence>{share},
                    Field<"value_s", &TimeSummary::value_s>(), Field<"lower_s", &TimeSummary::lower_s>(),
                    Field<"upper_s", &TimeSummary::upper_s>(),
                    Field<"bounded", &TimeSummary::bounded>{
                        core::any_value.saying("false: too few samples, the bounds are minimum and maximum")},
                    Field<"n", &TimeSummary::n>{core::from_zero},
                    Field<"n_effective", &TimeSummary::n_effective>(), Field<"min_s", &TimeSummary::min_s>(),
                    Field<"max_s", &TimeSummary::max_s>(), Field<"mean_s", &TimeSummary::mean_s>(),
                    Field<"cv", &TimeSummary::cv>(), Field<"p95_s", &TimeSummary::p95_s>(),
                    Field<"p99_s", &TimeSummary::p99_s>(), Field<"p999_s", &TimeSummary::p999_s>());
}

struct WarmupRecord {
  double seconds = 0;
  std::int64_t samples = 0;
  bool stationary = false;
  std::string last_moving;
};
constexpr auto fields_of(core::Type<WarmupRecord>) {
  using core::Field;
  return std::tuple(
      Field<"seconds", &WarmupRecord::seconds>(), Field<"samples", &WarmupRecord::samples>{core::from_zero},
      Field<"stationary", &WarmupRecord::stationary>(), Field<"last_moving", &WarmupRecord::last_moving>());
}

/// The name of what still moved, power or SM clock, when the budget of the warm-up ended: the GPU was still
/// getting slower. Empty where neither did.
std::string still_moving(const WarmupRecord& warmup);

struct PointRecord {
  std::string run_id;        // one per `assay run`
  std::int64_t process = 0;  // which process start of the run: index of its context
  std::int64_t sequence = 0;
  std::string module;     // "memory"
  std::string case_name;  // "memory.host.copy"
  Fields point;           // axis values
  std::string key;        // "bytes=1073741824,threads=2": identity of the point in its case
  std::int64_t repetition = 0;
  Fields derived;                 // values that follow from the point: m, n, k
  std::vector<UnitReport> units;  // what was measured; empty: the host as a whole
  Status status = Status::ok;
  std::string reason;   // why not ok, one line
  std::string started;  // ISO 8601 UTC
  double elapsed_s = 0;
  // The rest is present when status is ok or wrong.
  std::optional<TimeSummary> time;
  std::vector<Metric> metrics;  // the headline first
  double work_bytes = 0, work_flops = 0;
  std::string bytes_counted;
  std::string stop;  // interval | budget | samples | interrupted
  bool drifting = false;
  std::int64_t iterations_per_sample = 1;
  double cold_first_s = 0;
  WarmupRecord warmup;
  Verification verification;
  std::vector<RankReport> ranks;  // conditions of the others, where several ranks took part
  std::vector<LinkReport> links;
  std::vector<FlowReport> flows;
  Fields conditions;  // clocks, power, huge pages obtained, algorithm that really ran, ...
  std::vector<double> samples_s;
  std::vector<double> sm_cycles;
};

/// Words of PointRecord::stop: empty where nothing was measured.
inline constexpr std::array<std::string_view, 5> stop_reasons{"", "interval", "budget", "samples",
                                                              "interrupted"};

/// Rows of every point.
constexpr auto identity_fields(core::Type<PointRecord>) {
  using core::Field, core::any_value, core::from_zero;
  return std::tuple(
      Field<"run_id", &PointRecord::run_id>{core::identity},
      Field<"process", &PointRecord::process>{from_zero},
      Field<"sequence", &PointRecord::sequence>{from_zero}, Field<"module", &PointRecord::module>(),
      Field<"case", &PointRecord::case_name>{core::identity},
      Field<"point", &PointRecord::point>{any_value.saying("axis values")},
      Field<"key", &PointRecord::key>{any_value.saying("identity of the point in its case")},
      Field<"repetition", &PointRecord::repetition>{from_zero}, Field<"derived", &PointRecord::derived>(),
      Field<"units", &PointRecord::units>{
          any_value.where_known().saying("the parts of the machine that were measured, as the host calls "
                                         "them; absent: the host as a whole")},
      Field<"status", &PointRecord::status>(),
      Field<"reason", &PointRecord::reason>{any_value.saying("why not ok")},
      Field<"started", &PointRecord::started>{core::utc_time}, Field<"elapsed_s", &PointRecord::elapsed_s>());
}

/// Rows of a measured point, before its samples.
constexpr auto measurement_fields(core::Type<PointRecord>) {
  using core::Field, core::any_value, core::from_zero;
  return std::tuple(
      Field<"time", &PointRecord::time>(), Field<"metrics", &PointRecord::metrics>(),
      core::group<"work">(Field<"bytes", &PointRecord::work_bytes>{from_zero},
                          Field<"flops", &PointRecord::work_flops>{from_zero},
                          Field<"bytes_counted", &PointRecord::bytes_counted>()),
      Field<"stop", &PointRecord::stop>{{.words = stop_reasons}}, Field<"drifting", &PointRecord::drifting>(),
      Field<"iterations_per_sample", &PointRecord::iterations_per_sample>{core::from_one},
      Field<"cold_first_s", &PointRecord::cold_first_s>(), Field<"warmup", &PointRecord::warmup>(),
      Field<"verification", &PointRecord::verification>(),
      Field<"ranks", &PointRecord::ranks>{any_value.where_known().saying(
          "conditions of the ranks but 0, whose conditions are the point's own")},
      Field<"links", &PointRecord::links>{
          any_value.where_known().saying("what the counters of each rank's port say")},
      Field<"flows", &PointRecord::flows>{
          any_value.where_known().saying("payload of each flow among the others, and run again alone")},
      Field<"conditions", &PointRecord::conditions>());
}

constexpr auto sample_fields(core::Type<PointRecord>) {
  return std::tuple(core::Field<"samples_s", &PointRecord::samples_s>(),
                    core::Field<"sm_cycles", &PointRecord::sm_cycles>{core::any_value.where_known()});
}

struct ContextRecord {
  std::string run_id;
  std::int64_t process = 0;
  std::string module;
  std::string started;  // ISO 8601 UTC
  std::string host;
  Origin origin = Origin::measured;
  std::string assay_version;
  std::string source_revision;
  std::vector<std::string> command_line;
  std::string plan_name;
  bool resumed = false;
  nlohmann::ordered_json plan;         // as read
  nlohmann::ordered_json environment;  // selected environment variables
  nlohmann::ordered_json machine;      // harness/machine's description
};
constexpr auto fields_of(core::Type<ContextRecord>) {
  using core::Field;
  constexpr core::Terms object{.form = core::Terms::Form::object};
  return std::tuple(
      Field<"run_id", &ContextRecord::run_id>{core::identity},
      Field<"process", &ContextRecord::process>{core::from_zero.saying("which process start of the run")},
      Field<"module", &ContextRecord::module>(), Field<"started", &ContextRecord::started>{core::utc_time},
      Field<"host", &ContextRecord::host>{core::identity}, Field<"origin", &ContextRecord::origin>(),
      Field<"assay_version", &ContextRecord::assay_version>(),
      Field<"source_revision", &ContextRecord::source_revision>(),
      Field<"command_line", &ContextRecord::command_line>(), Field<"plan_name", &ContextRecord::plan_name>(),
      Field<"resumed", &ContextRecord::resumed>(),
      Field<"plan", &ContextRecord::plan>{
          core::any_value.saying("the plan as read; an object, a text, or null")},
      Field<"environment", &ContextRecord::environment>{object.saying("selected environment variables")},
      Field<"machine", &ContextRecord::machine>{
          object.saying("the machine as assay machine --json describes it")});
}

/// How a process ended; absent after a kill.
struct EndRecord {
  std::string run_id;
  std::int64_t process = 0;
  std::string module;
  std::string ended;
  std::int64_t points = 0;
  bool interrupted = false;
};
constexpr auto fields_of(core::Type<EndRecord>) {
  using core::Field;
  return std::tuple(Field<"run_id", &EndRecord::run_id>{core::identity},
                    Field<"process", &EndRecord::process>{core::from_zero},
                    Field<"module", &EndRecord::module>(), Field<"ended", &EndRecord::ended>{core::utc_time},
                    Field<"points", &EndRecord::points>{core::from_zero},
                    Field<"interrupted", &EndRecord::interrupted>());
}

/// A field's value, or null.
const Scalar* find(const Fields& fields, const std::string& name);
/// Empty for a word.
std::optional<double> number_of(const Scalar& value);
/// Empty where there is no such field, or a word.
std::optional<double> number_in(const Fields& fields, const std::string& name);
/// "" for a number.
std::string word_or_empty(const Scalar& value);
/// Null where there is none.
const Metric* find(const std::vector<Metric>& metrics, const std::string& name);

std::string to_string(Status status);
std::string to_string(Origin origin);
std::optional<Status> status_from(std::string_view word);
std::optional<Origin> origin_from(std::string_view word);

}  // namespace assay::results
