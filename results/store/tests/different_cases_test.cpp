// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/doubts/different_cases.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <random>

#include "results/record/journal.hpp"
#include "results/store/repetitions.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

constexpr std::int64_t rows_of_each = 400;

std::string text_of(const Number& number) {
  return fmt::format("{} [{}, {}]", number.value, number.lower.value_or(NAN), number.upper.value_or(NAN));
}

/// All of a point, bit for bit.
std::string text_of(const std::vector<StoredPoint>& points) {
  std::string text;
  for (const StoredPoint& one : points)
    text += fmt::format(
        "{} {} {} {} {}: {} {} {}, {} repetitions, n {} {} {}, {} {} {} {}, {} {}, efficiency {}, {} {}\n",
        one.id, one.process, one.sequence, one.case_name, one.key, one.metric, one.unit,
        static_cast<int>(one.status), one.repetitions, one.n, one.stop, one.drifting, one.repetition,
        one.reason, text_of({one.time_s, one.lower_s, one.upper_s}), text_of(one.headline), one.work_bytes,
        one.work_flops, one.efficiency ? text_of(*one.efficiency) : "none", one.axes.size(),
        field_text(one.axes, {"bytes"}));
  return text;
}

/// An independent oracle: joins `points` of a case by reading row after row in one thread, and nothing else.
PointsOfCase read_in_turn(const std::vector<StoredPoint>& points, std::int64_t most) {
  std::vector<std::vector<StoredPoint>> groups;
  PointsOfCase read;
  for (const StoredPoint& one : points) {
    const auto same = std::ranges::find_if(groups, [&](const std::vector<StoredPoint>& group) {
      return group.front().key == one.key && group.front().metric == one.metric &&
             has_value(group.front()) == has_value(one);
    });
    if (same != groups.end()) {
      if (has_value(one)) same->push_back(one);
    } else if (std::ssize(groups) == most) {
      read.cut_short = true;
      break;
    } else {
      groups.push_back({one});
    }
  }
  for (std::vector<StoredPoint>& group : groups)
    read.points.push_back(has_value(group.front()) ? combine_repetitions(std::move(group)).front()
                                                   : std::move(group.front()));
  return read;
}

/// Rows of three cases in turns, so that each lies in many ranges: few, some and many different points, of
/// two metrics, some without a value.
class DifferentCases : public testing::Test {
 protected:
  DifferentCases() {
    std::string lines = to_line(test::sample_context()) + "\n";
    std::mt19937 random(7);
    const std::array<int, 3> different = {2, 13, 80};
    for (std::int64_t row = 0; row < 3 * rows_of_each; ++row) {
      const std::size_t of_case = static_cast<std::size_t>(row / 4) % 3;
      PointRecord point = test::sample_point("run-1", row);
      point.case_name = std::array{"memory.host.read", "memory.host.write", "memory.host.copy"}.at(of_case);
      const auto bytes = static_cast<std::int64_t>(random() % static_cast<unsigned>(different.at(of_case)));
      point.point = {{"bytes", bytes}};
      point.key = fmt::format("bytes={}", bytes);
      point.repetition = row;
      point.drifting = random() % 16 == 0;
      const double rate = 100 + static_cast<double>(random() % 100);
      const std::string metric = random() % 4 == 0 ? "latency_ns" : "bandwidth_gb_per_s";
      point.metrics = {{metric, "GB/s", rate, rate - 1, rate + 1}};
      if (random() % 2 == 0) point.metrics.push_back({"efficiency", "%", rate / 2, rate / 3, rate});
      if (random() % 8 == 0) point.status = Status::failed;
      lines += to_line(point) + "\n";
    }
    for (Store* store : {&store_, &in_memory_}) store->import_lines("a.jsonl", core::source_of(lines));
  }

  const test::TemporaryFolder folder_;
  Store store_{folder_ / "store.sqlite"}, in_memory_{""};
};

TEST_F(DifferentCases, AreTheSameInPartsOfAnySize) {
  const StoredRun run = find_run(store_, {});
  const std::vector<StoredCase> cases = cases_of(store_, run);
  ASSERT_EQ(cases.size(), 3U);
  ASSERT_GT(store_.database().single_integer("SELECT count(*) FROM case_ranges"), rows_of_each / 2);
  std::size_t cut = 0, missing = 0;
  for (const std::int64_t most : {1, 3, 4, 5, 20, 60, 1000}) {
    std::vector<PointsOfCase> wanted;
    for (const StoredCase& one : cases)
      wanted.push_back(read_in_turn(points_of_case(store_, run, one, 1000), most));
    for (const std::int64_t in_part : {1, 2, 7, 30, 1000})
      for (const Store* store : {&store_, &in_memory_}) {
        const auto read = different_points_of_cases(*store, run, cases, most, in_part);
        std::int64_t before = 0;
        for (std::size_t at = 0; at < cases.size(); ++at) {
          SCOPED_TRACE(fmt::format("{}: at most {}, {} in part", cases[at].name, most, in_part));
          ASSERT_EQ(read[at].has_value(), before < most);
          missing += read[at] ? 0 : 1;
          if (!read[at]) continue;
          EXPECT_EQ(text_of(read[at]->points), text_of(wanted[at].points));
          EXPECT_EQ(read[at]->cut_short, wanted[at].cut_short);
          cut += wanted[at].cut_short ? 1 : 0;
          before += std::ssize(wanted[at].points);
        }
      }
  }
  EXPECT_GT(cut, 40U);
  EXPECT_GT(missing, 20U);
}

TEST_F(DifferentCases, OfNoneAreNone) {
  EXPECT_TRUE(different_points_of_cases(store_, find_run(store_, {}), {}, 10).empty());
}

TEST_F(DifferentCases, AreReadWithinATransactionAndLeaveNone) {
  const StoredRun run = find_run(store_, {});
  const std::vector<StoredCase> cases = cases_of(store_, run);
  {
    const ReadTransaction one_lock(store_.database());
    EXPECT_EQ(different_points_of_cases(store_, run, cases, 1000, 7).size(), 3U);
    EXPECT_EQ(sqlite3_get_autocommit(store_.database().connection()), 0) << "still the caller's";
  }
  different_points_of_cases(store_, run, cases, 1000, 7);
  EXPECT_NE(sqlite3_get_autocommit(store_.database().connection()), 0);
  Store(folder_ / "store.sqlite", StoreMode::existing, std::chrono::milliseconds(20))
      .add(test::sample_point("run-1", 3 * rows_of_each));
}

TEST_F(DifferentCases, OfADamagedStoreAreAnError) {
  store_.database().prepare("DELETE FROM cases WHERE name = 'memory.host.write'").run();
  const StoredRun run = find_run(store_, {});
  const std::vector<StoredCase> cases = {{1, "memory.host.read", rows_of_each},
                                         {2, "memory.host.write", rows_of_each}};
  EXPECT_THROW(different_points_of_cases(store_, run, cases, 1000, 7), DamagedStore);
}

}  // namespace
}  // namespace assay::results
