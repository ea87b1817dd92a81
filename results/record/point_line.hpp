// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A point's line in the very form that to_line() writes, read by position: what a store keeps of it, without
// taking the record apart and putting it together again; or all of it, without a tree of JSON.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/record.hpp"

namespace assay::results {

/// Stands where PointRecord keeps a value that a row passes over.
template <class Value>
struct Passed {};

/// Fields as JSON.
struct FieldsText {
  std::string_view json;
};

struct MetricRow {
  std::string_view name, unit;
  double value = 0;
  std::optional<double> lower = {}, upper = {};
};

/// As TimeSummary.
struct TimeRow {
  double quantile = 0, confidence = 0;
  double value_s = 0, lower_s = 0, upper_s = 0;
  bool bounded = false;
  std::int64_t n = 0;
  Passed<double> n_effective = {}, min_s = {}, max_s = {}, mean_s = {}, cv = {};
  Passed<std::optional<double>> p95_s = {}, p99_s = {}, p999_s = {};
};

/// One row of a store's table of points, with what hangs on it: a PointRecord, of which some is kept, as
/// views into the line or record it comes from.
struct PointRow {
  std::uint32_t crc = 0;    // of its line
  std::string_view record;  // all but samples and CRC

  std::string_view run_id;
  std::int64_t process = 0, sequence = 0;
  Passed<std::string> module;
  std::string_view case_name;
  FieldsText point;
  std::string_view key;
  std::int64_t repetition = 0;
  Passed<Fields> derived;
  Passed<std::vector<UnitReport>> units;
  Status status = Status::ok;
  std::string_view reason, started;
  double elapsed_s = 0;
  std::optional<TimeRow> time;
  std::pmr::vector<MetricRow> metrics;
  double work_bytes = 0, work_flops = 0;
  Passed<std::string> bytes_counted;
  std::string_view stop;
  bool drifting = false;
  Passed<std::int64_t> iterations_per_sample;
  Passed<double> cold_first_s;
  struct {
    Passed<double> seconds;
    Passed<std::int64_t> samples;
    Passed<bool> stationary;
    Passed<std::string> last_moving;
  } warmup;
  struct {
    Verification::Result result = Verification::Result::not_checked;
    Passed<std::string> why, digest;
  } verification;
  Passed<std::vector<RankReport>> ranks;
  Passed<std::vector<LinkReport>> links;
  Passed<std::vector<FlowReport>> flows;
  FieldsText conditions;
  std::pmr::vector<double> samples_s, sm_cycles;

  PointRow() = default;
  explicit PointRow(std::pmr::memory_resource* memory)
      : metrics(memory), samples_s(memory), sm_cycles(memory) {}
};

/// Nothing for a line that is not an undamaged point in exactly this form: from_line() says what it is. What
/// is read here is what from_line() would read. The text is that of the line, and is changed: behind the
/// record a brace is put, for the samples are cut off it. What the row holds itself is in `memory`.
std::optional<PointRow> point_row(char* begin, std::size_t size, std::pmr::memory_resource* memory);

/// Likewise; `body` is an undamaged line without its CRC.
std::optional<PointRecord> point_of_line(std::string_view body);
/// Likewise, of the text that a store keeps, without samples.
std::optional<PointRecord> point_of_row(std::string_view record);

/// Likewise, of an object of numbers and texts.
std::optional<Fields> fields_of(std::string_view json);

}  // namespace assay::results
