// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The journal that a rank keeps of a run.
#include "harness/run/journal/rank_journal.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/core/tests/temporary_folder.hpp"
#include "harness/run/tests/fake_cases.hpp"
#include "results/record/journal.hpp"

namespace assay::run {
namespace {

namespace fs = std::filesystem;

class RankJournal : public testing::Test {
 protected:
  std::unique_ptr<core::Witness> journal(const std::string& name = "journal.jsonl") const {
    machine::Machine machine;
    machine.host = "h2";
    return rank_journal("memory", 2, machine, {"--journal", (folder_ / name).string(), "--run-id=r"});
  }
  /// A point of two samples of a quarter second for two iterations each.
  static void see_a_point(core::Witness& witness, const core::Case& benchmark,
                          const std::string& why_failed) {
    witness.begins(benchmark, {{"n", std::int64_t{1}}});
    witness.ran(1, {.seconds = 9});
    witness.sampling_begins();
    witness.ran(2, {.seconds = 0.5});
    witness.ran(2, {.seconds = 0.5});
    witness.sampling_ends();
    witness.verified({core::Verification::Result::right, "counted", ""});
    witness.reported({.metrics = {{"extra_w", "W", 7.5}}, .facts = {{"device", "mlx5_2"}}});
    witness.ends(why_failed);
    witness.ends("");
  }
  std::vector<results::PointRecord> kept() const {
    std::vector<results::PointRecord> points;
    results::for_each_record(folder_ / "journal.jsonl.rank2", [&](const results::Record& record) {
      if (const auto* point = std::get_if<results::PointRecord>(&record)) points.push_back(*point);
    });
    return points;
  }

  const core::tests::TemporaryFolder made_;
  const fs::path folder_ = made_.path();
  const core::Case steady_ = tests::fake_cases({}).front();
};

TEST_F(RankJournal, HoldsTheRanksOwnTimesAndFactsAsARunOfItsOwn) {
  see_a_point(*journal(), steady_, "");
  ASSERT_EQ(kept().size(), 1U);
  const results::PointRecord point = kept().front();
  EXPECT_EQ(point.run_id, "r.rank2");
  EXPECT_EQ(point.case_name + "/" + point.key, "memory.fake.steady/n=1");
  EXPECT_EQ(point.samples_s, (std::vector{0.25, 0.25}));
  EXPECT_EQ(point.metrics.back().name, "extra_w");
  EXPECT_EQ(point.conditions.front().first, "device");
  EXPECT_EQ(point.status, results::Status::ok);
}

TEST_F(RankJournal, SaysWhyAPointFailed) {
  see_a_point(*journal(), steady_, "rank 0 (h0) ended its connection");
  ASSERT_EQ(kept().size(), 1U);
  EXPECT_EQ(kept().front().status, results::Status::failed);
  EXPECT_EQ(kept().front().reason, "rank 0 (h0) ended its connection");
}

TEST_F(RankJournal, StaysWhenRank0DismissesTheRank) {
  const auto witness = journal();
  see_a_point(*witness, steady_, "");
  witness->dismissed();
  EXPECT_EQ(kept().size(), 1U);
}

TEST_F(RankJournal, KeepsWhatAnEarlierStartLeftBehind) {
  see_a_point(*journal(), steady_, "");
  const auto later = journal();
  see_a_point(*later, steady_, "");
  ASSERT_EQ(kept().size(), 2U);
  EXPECT_EQ(kept().back().process, 1);
  EXPECT_EQ(kept().back().sequence, 1);
  later->dismissed();
  EXPECT_EQ(kept().size(), 2U);
}

TEST_F(RankJournal, ThatCannotBeWrittenCostsNoMeasurement) {
  const auto witness = journal("no/such/folder/journal.jsonl");
  testing::internal::CaptureStderr();
  see_a_point(*witness, steady_, "");
  see_a_point(*witness, steady_, "");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("assay-memory: this rank keeps no journal: "), 0U) << said;
  EXPECT_EQ(said.find('\n'), said.size() - 1) << said;
}

TEST_F(RankJournal, IsNoneWhereTheModuleHasNone) {
  EXPECT_EQ(rank_journal("memory", 2, {}, {"--filter", "*"}), nullptr);
  EXPECT_EQ(rank_journal("memory", 2, {}, {"--journal"}), nullptr);
}

}  // namespace
}  // namespace assay::run
