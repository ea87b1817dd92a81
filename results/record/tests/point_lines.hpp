// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Lines of points as tests change them, and both readers of them side by side.
#pragma once

#include <gtest/gtest.h>

#include <memory_resource>
#include <string>

#include "results/record/json/point_line.hpp"
#include "results/record/json/record_json.hpp"
#include "results/record/line_crc.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results::test {

/// The line closed anew after an edit.
inline std::string edited(std::string line, const std::string& from, const std::string& to) {
  line.resize(line.rfind(",\"crc32\""));
  const auto at = line.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return closed_with_crc(line.replace(at, from.size(), to));
}

inline bool is_read(std::string line) {
  return point_row(line.data(), line.size(), std::pmr::get_default_resource()).has_value();
}

inline PointRecord point_of_units() {
  PointRecord point = sample_point();
  point.units = {{"gpu", "0"}, {"gpu", "3"}};
  return point;
}

/// With all that a record can hold.
inline PointRecord point_of_ranks() {
  PointRecord point = point_of_units();
  point.derived = {{"m", std::int64_t{8}}, {"share", 0.25}, {"order", std::string("rows")}};
  point.time->p99_s = 0.2;
  point.metrics.push_back({"busbw_gb_per_s", "GB/s", 12.5, 12.0, std::nullopt});
  point.ranks = {{1, {{"host", std::string("b")}, {"rail", std::int64_t{3}}}}, {2, {}}};
  point.links = {
      {.rank = 1,
       .link_class = LinkClass::lossy,
       .watched = 40,
       .counters = {{.counter = "mlx5_0 out_of_sequence", .moved = 12, .speaks_for = LinkClass::lossy}}},
      {.rank = 2, .watched = 0}};
  point.flows = {{.from = 0, .to = 1, .gb_per_s = 3.5, .queue_pairs = {{4791, 17}, {4792, 18}}},
                 {.from = 1, .to = 0, .alone_gb_per_s = 4.0}};
  point.sm_cycles = {1e6, 2e6, 3e6};
  return point;
}

/// Whether the line is read by position. Then a reader of all JSON must read the same, with samples and
/// without.
inline bool read_alike(const std::string& line) {
  std::string changed = line;
  const auto row = point_row(changed.data(), changed.size(), std::pmr::get_default_resource());
  const auto point = point_of_line(intact_line(line).value().body);
  EXPECT_TRUE(point || !row) << line;
  if (!point) return false;
  std::string as_json;
  EXPECT_NO_THROW(as_json = to_line(from_line_of_any_form(line))) << line;
  EXPECT_EQ(to_line(*point), as_json);
  if (!row) return true;
  auto kept = point_of_row(row->record);
  EXPECT_TRUE(kept) << row->record;
  if (!kept) return true;
  EXPECT_TRUE(kept->samples_s.empty());
  kept->samples_s = point->samples_s, kept->sm_cycles = point->sm_cycles;
  EXPECT_EQ(to_line(*kept), as_json);
  return true;
}

}  // namespace assay::results::test
