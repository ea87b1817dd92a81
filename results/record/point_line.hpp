// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A point's line in the very form that to_line() writes, read by position: what a store keeps of it, without
// taking the record apart and putting it together again.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/record.hpp"

namespace assay::results {

struct MetricRow {
  std::string_view name, unit;
  double value = 0;
  std::optional<double> lower = {}, upper = {};
};

/// One row of a store's table of points, with what hangs on it. Views are into the line it was read from.
struct PointRow {
  std::uint32_t crc = 0;  // of its line
  std::string_view run_id, case_name, key, reason, started, stop;
  std::int64_t process = 0, sequence = 0, repetition = 0, n = 0;
  Status status = Status::ok;
  double elapsed_s = 0, time_s = 0, lower_s = 0, upper_s = 0;
  bool drifting = false;
  double work_bytes = 0, work_flops = 0;
  std::string_view axes, record;  // as JSON; the record is all but samples and CRC
  std::pmr::vector<MetricRow> metrics;
  std::pmr::vector<double> samples_s, sm_cycles;

  PointRow() = default;
  explicit PointRow(std::pmr::memory_resource* memory)
      : metrics(memory), samples_s(memory), sm_cycles(memory) {}
};

/// Nothing for a line that is not an undamaged point in exactly this form, or one with ranks, links or flows:
/// from_line() says what it is. What
/// is read here is what from_line() would read. The text is that of the line, and is changed: behind the
/// record a brace is put, for the samples are cut off it. What the row holds itself is in `memory`.
std::optional<PointRow> point_row(char* begin, std::size_t size, std::pmr::memory_resource* memory);

}  // namespace assay::results
