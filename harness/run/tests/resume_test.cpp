// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/resume.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace assay::run
