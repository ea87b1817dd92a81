// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/bad_points.hpp"

#include <gtest/gtest.h>

#include "harness/core/tests/temporary_folder.hpp"
#include "results/record/journal.hpp"

namespace assay::suite {
namespace {

class BadPoints : public testing::Test {
 protected:
  void write(const std::string& key, results::Status status, const std::string& reason = "") {
    results::PointRecord record;
    record.run_id = "r";
    record.module = "rdma";
    record.case_name = "rdma.verbs.pairs";
    record.key = key;
    record.status = status;
    record.reason = reason;
    record.started = "2026-12-01T00:00:00Z";
    record.sequence = sequence_++;
    results::JournalWriter(journal_).write(record);
  }

  core::tests::TemporaryFolder folder_;
  std::filesystem::path journal_ = folder_.path() / "journal.jsonl";
  std::int64_t sequence_ = 0;
};

TEST_F(BadPoints, AreCountedAndTheFirstIsTold) {
  write("n=1", results::Status::ok);
  write("n=2", results::Status::failed, "mpirun was ended by signal 9 (Killed)");
  write("n=3", results::Status::timeout, "no answer for 20 s");
  write("n=4", results::Status::unsupported, "no adapter");
  EXPECT_EQ(bad_points_in(journal_),
            "2 of 4 points: rdma.verbs.pairs failed: mpirun was ended by signal 9 (Killed)");
}

TEST_F(BadPoints, AreNoneWhereALaterRecordIsGood) {
  write("n=1", results::Status::failed, "a rank was lost");
  write("n=1", results::Status::ok);
  EXPECT_EQ(bad_points_in(journal_), "");
  EXPECT_EQ(bad_points_in(folder_.path() / "none.jsonl"), "");
}

}  // namespace
}  // namespace assay::suite
