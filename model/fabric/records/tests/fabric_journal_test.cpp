// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/records/fabric_journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/core/error.hpp"

namespace assay::model::fabric {
namespace {

class FabricJournals : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "f.toml") << "name = 'star of 4'\npreset = 'star'\nhosts = 4\n";
    std::ofstream(folder_ / "w.toml")
        << "name = 'incast'\nranks = 4\n[[stream]]\n[[stream.op]]\npattern = 'incast'\nbytes = '1MiB'\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  JournalSubject subject() const {
    return {.fabric_file = folder_ / "f.toml",
            .workload_file = folder_ / "w.toml",
            .replaced = {},
            .command_line = {"assay", "fabric", "simulate"}};
  }
  std::vector<results::Record> records() const {
    std::vector<results::Record> all;
    const auto problems =
        results::for_each_record(journal_, [&](const results::Record& one) { all.push_back(one); });
    EXPECT_TRUE(problems.empty());
    return all;
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) /
                                  ("fabric_journal_" + std::to_string(getpid())),
                        journal_ = folder_ / "j.jsonl";
};

results::PointRecord point() {
  results::PointRecord record;
  record.case_name = "fabric.flows.workload";
  record.started = "2026-11-26T14:00:00Z";
  record.metrics = {{"time_us", "us", 5}};
  return record;
}

TEST_F(FabricJournals, ARunIsSimulatedAndHasItsFiles) {
  {
    FabricJournal journal(journal_, subject());
    journal.write({point(), point()});
    journal.end();
  }
  const auto all = records();
  ASSERT_EQ(all.size(), 4U);
  const auto& context = std::get<results::ContextRecord>(all[0]);
  EXPECT_EQ(context.origin, results::Origin::simulated);
  EXPECT_EQ(context.host, "star of 4");
  EXPECT_EQ(context.plan["fabric"], "name = 'star of 4'\npreset = 'star'\nhosts = 4\n");
  EXPECT_EQ(std::get<results::PointRecord>(all[2]).sequence, 1);
  const auto& end = std::get<results::EndRecord>(all[3]);
  EXPECT_EQ(end.points, 2);
  EXPECT_FALSE(end.interrupted);
}

TEST_F(FabricJournals, AQuestionThatThrowsHalfwayIsInterrupted) {
  {
    FabricJournal(journal_, subject()).write({point()});
  }
  EXPECT_TRUE(std::get<results::EndRecord>(records().back()).interrupted);
}

TEST_F(FabricJournals, AQuestionWithoutPointsLeavesNoRun) {
  {
    FabricJournal(journal_, subject()).end();
  }
  EXPECT_TRUE(records().empty());
}

TEST_F(FabricJournals, AFolderThatIsNotThereIsReportedBeforeAnythingIsSimulated) {
  try {
    FabricJournal(folder_ / "none" / "j.jsonl", subject());
    FAIL() << "no error";
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    EXPECT_THAT(error.what(), testing::HasSubstr("cannot be written: expected a folder"));
  }
}

}  // namespace
}  // namespace assay::model::fabric
