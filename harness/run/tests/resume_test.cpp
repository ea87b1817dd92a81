// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/journal/resume.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/temporary_folder.hpp"

namespace assay::run {
namespace {

/// A journal with these records of one point, one after the other.
class ReadFinished : public testing::Test {
 protected:
  void write(std::initializer_list<results::Status> statuses, const std::string& stop = "interval") {
    results::JournalWriter writer(journal_);
    for (const results::Status status : statuses) {
      results::PointRecord point;
      point.run_id = "r";
      point.case_name = "memory.host.copy";
      point.key = "n=1";
      point.sequence = sequence_++;
      point.status = status;
      point.reason = "as the test says", point.started = "2026-12-01T00:00:00Z";
      if (status == results::Status::ok) point.time.emplace();
      if (status == results::Status::ok) point.stop = stop;
      writer.write(point);
    }
  }
  bool runs_again(bool retry_failed) const { return read_finished(journal_, retry_failed).points.empty(); }

  const core::tests::TemporaryFolder folder_;
  const std::string journal_ = folder_.place("journal.jsonl");
  std::int64_t sequence_ = 0;
};

TEST_F(ReadFinished, APointBehindWhichTheModuleFellRunsAgainWhereFailuresDo) {
  write({results::Status::ok, results::Status::failed});
  EXPECT_FALSE(runs_again(false));
  EXPECT_TRUE(runs_again(true));
  write({results::Status::ok});
  EXPECT_FALSE(runs_again(true));
}

TEST_F(ReadFinished, APointThatWasCutShortRunsAgain) {
  write({results::Status::ok}, "interrupted");
  EXPECT_TRUE(runs_again(false));
}

TEST_F(ReadFinished, ANamedRecordsPointRunsAgainUntilALaterRecordIsThere) {
  write({results::Status::failed});
  const std::string name = identity("memory.host.copy", "n=1", 0);
  EXPECT_EQ(read_finished(journal_, false, {0}).again.count(name), 1U);
  EXPECT_EQ(read_finished(journal_, false, {7}).again.count(name), 0U);
  write({results::Status::failed});
  EXPECT_TRUE(read_finished(journal_, false, {0}).again.empty());
  EXPECT_EQ(read_finished(journal_, false, {0}).points.count(name), 1U);
}

TEST(RecordsIn, ReadsNumbersAndRanges) {
  EXPECT_EQ(records_in("3-5,9"), (std::set<std::int64_t>{3, 4, 5, 9}));
  EXPECT_TRUE(records_in("").empty());
  for (const char* bad : {"x", "3-", "5-3", "-3", "1,,2", "0-99999999999"})
    EXPECT_THROW(records_in(bad), core::Error) << bad;
}

}  // namespace
}  // namespace assay::run
