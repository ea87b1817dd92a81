// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/failed_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "results/record/journal.hpp"

namespace assay::suite {
namespace {

using testing::HasSubstr;

results::PointRecord good_point(const std::string& key) {
  results::PointRecord point;
  point.run_id = "r";
  point.module = "memory";
  point.case_name = "memory.host.copy";
  point.key = key;
  point.started = "2026-11-26T10:00:00.000Z";
  results::TimeSummary& time = point.time.emplace();
  time.value_s = 1;
  time.lower_s = time.min_s = 0.9;
  time.upper_s = time.max_s = 1.1;
  time.bounded = true;
  time.n = 9;
  point.metrics = {{"bandwidth_gb_per_s", "GB/s", 10, 9.0, 11.0}};
  point.verification = {core::Verification::Result::right, "compared", ""};
  point.stop = "interval";
  return point;
}

class FailedPoints : public testing::Test {
 protected:
  FailedPoints() {
    results::ContextRecord context;
    context.run_id = "r";
    context.module = "memory";
    context.started = "2026-11-26T10:00:00.000Z";
    context.host = "h1";
    context.machine = {{"cpu", {{"model", "any"}}}};
    results::JournalWriter(journal_).write(context);
  }
  void add(results::PointRecord point) {
    point.sequence = next_++;
    results::JournalWriter(journal_).write(point);
  }
  std::vector<std::string> whys(std::span<const results::LimitsFile> limits = {}) const {
    std::vector<std::string> whys;
    for (const FailedPoint& point : failed_points_in(journal_, limits))
      whys.push_back(std::to_string(point.record) + " " + point.why);
    return whys;
  }

  const core::tests::TemporaryFolder folder_;
  const std::string journal_ = folder_.place("journal.jsonl");
  std::int64_t next_ = 0;
};

TEST_F(FailedPoints, AreThoseWithoutGoodEvidenceAndNotWhatThisMachineLacks) {
  add(good_point("n=0"));
  for (const auto status :
       {results::Status::failed, results::Status::timeout, results::Status::unsupported}) {
    results::PointRecord point = good_point("n=" + std::to_string(next_));
    point.status = status;
    point.reason = "because";
    point.time.reset();
    point.metrics.clear();
    add(point);
  }
  results::PointRecord doubtful = good_point("n=4"), drifting = good_point("n=5"), budget = good_point("n=6");
  doubtful.metrics[0].value = -1;
  drifting.drifting = true;
  budget.stop = "budget";
  for (const auto& point : {doubtful, drifting, budget}) add(point);
  EXPECT_THAT(whys(), testing::ElementsAre("1 failed: because", "2 timeout: because",
                                           HasSubstr("4 in doubt: bandwidth_gb_per_s"),
                                           "5 drifting: its samples trend"));
}

TEST_F(FailedPoints, TheLastRecordOfAPointDecides) {
  results::PointRecord failed = good_point("n=0");
  failed.status = results::Status::failed, failed.reason = "no answer";
  failed.time.reset();
  failed.metrics.clear();
  add(failed);
  add(good_point("n=0"));
  EXPECT_THAT(whys(), testing::IsEmpty());
  add(failed);
  EXPECT_THAT(whys(), testing::ElementsAre(HasSubstr("2 failed")));
}

TEST_F(FailedPoints, ALimitNamesThePointsBeyondIt) {
  add(good_point("n=0"));
  const auto limits = results::limits_in(
      "[machine]\ncpu = 'any'\n[[limit]]\ncase = 'memory.host.copy'\nmetric = 'bandwidth_gb_per_s'\n"
      "unit = 'GB/s'\nlowest = 20\nsource = 'a test'\n",
      "l.toml");
  EXPECT_THAT(whys(std::span(&limits, 1)), testing::ElementsAre("0 beyond its limit"));
  results::PointRecord faster = good_point("n=0");
  faster.metrics[0] = {"bandwidth_gb_per_s", "GB/s", 25, 24.0, 26.0};
  add(faster);
  EXPECT_THAT(whys(std::span(&limits, 1)), testing::IsEmpty());
}

TEST(RecordsOf, JoinsNumbersInARowAndRefusesMoreThanACommandHolds) {
  std::vector<FailedPoint> points;
  for (const std::int64_t record : {3, 4, 5, 9}) points.push_back({.record = record});
  EXPECT_EQ(records_of(points), "3-5,9");
  points.clear();
  for (std::int64_t record = 0; record < 40'000; record += 2) points.push_back({.record = record});
  EXPECT_THAT(core::tests::message_of([&] { static_cast<void>(records_of(points)); }),
              HasSubstr("20000 points failed, which is too many at once"));
}

}  // namespace
}  // namespace assay::suite
