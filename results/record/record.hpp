// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The records of a run: one context per process start, one point record per measured point. The JSON form is
// results/record/record_json.hpp and results/record/schema/*.json.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
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

struct WarmupRecord {
  double seconds = 0;
  std::int64_t samples = 0;
  bool stationary = false;
  std::string last_moving;
};

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

/// How a process ended; absent after a kill.
struct EndRecord {
  std::string run_id;
  std::int64_t process = 0;
  std::string module;
  std::string ended;
  std::int64_t points = 0;
  bool interrupted = false;
};

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
