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
  double value_s = 0, lower_s = 0, upper_s = 0;
  std::int64_t n = 0;
};

/// As Verification.
struct VerificationRow {
  Verification::Result result = Verification::Result::not_checked;
};

/// One row of a store's table of points, with what hangs on it: what is kept of a PointRecord (kept_in_row),
/// as views into the line or record it comes from.
struct PointRow {
  std::uint32_t crc = 0;    // of its line
  std::string_view record;  // all but samples and CRC

  std::string_view run_id, case_name, key, reason, started, stop;
  std::int64_t process = 0, sequence = 0, repetition = 0;
  FieldsText point, conditions;
  Status status = Status::ok;
  double elapsed_s = 0, work_bytes = 0, work_flops = 0;
  bool drifting = false;
  std::optional<TimeRow> time;
  VerificationRow verification;
  std::pmr::vector<MetricRow> metrics;
  std::pmr::vector<double> samples_s, sm_cycles;

  PointRow() = default;
  explicit PointRow(std::pmr::memory_resource* memory)
      : metrics(memory), samples_s(memory), sm_cycles(memory) {}
};

/// The member of a row that keeps this member of a record; null where rows skip it.
template <auto member>
inline constexpr auto kept_in_row = nullptr;
template <>
inline constexpr auto kept_in_row<&PointRecord::run_id> = &PointRow::run_id;
template <>
inline constexpr auto kept_in_row<&PointRecord::case_name> = &PointRow::case_name;
template <>
inline constexpr auto kept_in_row<&PointRecord::key> = &PointRow::key;
template <>
inline constexpr auto kept_in_row<&PointRecord::reason> = &PointRow::reason;
template <>
inline constexpr auto kept_in_row<&PointRecord::started> = &PointRow::started;
template <>
inline constexpr auto kept_in_row<&PointRecord::stop> = &PointRow::stop;
template <>
inline constexpr auto kept_in_row<&PointRecord::process> = &PointRow::process;
template <>
inline constexpr auto kept_in_row<&PointRecord::sequence> = &PointRow::sequence;
template <>
inline constexpr auto kept_in_row<&PointRecord::repetition> = &PointRow::repetition;
template <>
inline constexpr auto kept_in_row<&PointRecord::point> = &PointRow::point;
template <>
inline constexpr auto kept_in_row<&PointRecord::conditions> = &PointRow::conditions;
template <>
inline constexpr auto kept_in_row<&PointRecord::status> = &PointRow::status;
template <>
inline constexpr auto kept_in_row<&PointRecord::elapsed_s> = &PointRow::elapsed_s;
template <>
inline constexpr auto kept_in_row<&PointRecord::work_bytes> = &PointRow::work_bytes;
template <>
inline constexpr auto kept_in_row<&PointRecord::work_flops> = &PointRow::work_flops;
template <>
inline constexpr auto kept_in_row<&PointRecord::drifting> = &PointRow::drifting;
template <>
inline constexpr auto kept_in_row<&PointRecord::time> = &PointRow::time;
template <>
inline constexpr auto kept_in_row<&PointRecord::verification> = &PointRow::verification;
template <>
inline constexpr auto kept_in_row<&PointRecord::metrics> = &PointRow::metrics;
template <>
inline constexpr auto kept_in_row<&PointRecord::samples_s> = &PointRow::samples_s;
template <>
inline constexpr auto kept_in_row<&PointRecord::sm_cycles> = &PointRow::sm_cycles;
template <>
inline constexpr auto kept_in_row<&TimeSummary::value_s> = &TimeRow::value_s;
template <>
inline constexpr auto kept_in_row<&TimeSummary::lower_s> = &TimeRow::lower_s;
template <>
inline constexpr auto kept_in_row<&TimeSummary::upper_s> = &TimeRow::upper_s;
template <>
inline constexpr auto kept_in_row<&TimeSummary::n> = &TimeRow::n;
template <>
inline constexpr auto kept_in_row<&Verification::result> = &VerificationRow::result;
template <>
inline constexpr auto kept_in_row<&Metric::name> = &MetricRow::name;
template <>
inline constexpr auto kept_in_row<&Metric::unit> = &MetricRow::unit;
template <>
inline constexpr auto kept_in_row<&Metric::value> = &MetricRow::value;
template <>
inline constexpr auto kept_in_row<&Metric::lower> = &MetricRow::lower;
template <>
inline constexpr auto kept_in_row<&Metric::upper> = &MetricRow::upper;

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
