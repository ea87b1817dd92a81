// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whole runs against a room of fake cases: crashes, hangs, kills, interrupts, a full disk; and then --resume.
#include "harness/suite/campaign.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "harness/core/tests/message_of.hpp"
#include "harness/suite/child.hpp"
#include "harness/suite/supervise.hpp"
#include "results/journal.hpp"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Campaign : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "assay_campaign_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string plan(const std::string& cases, const std::string& extra = "") const {
    const fs::path file = folder_ / "asked.toml";
    std::ofstream(file) << "[measure]\nmax_seconds = 0.05\nmax_warmup_seconds = 0.02\n[[sweep]]\ncases = "
                        << cases << "\n"
                        << extra;
    return file.string();
  }
  CampaignOptions options(const std::string& plan_file) const {
    return {.plan = plan_file,
            .filters = {},
            .axes = {},
            .folder = folder_ / "runs",
            .run_id = "run-1",
            .resume = false,
            .slack_s = 1,
            .rooms_folder = fs::path(ASSAY_BUILD_DIR) / "fake_rooms"};
  }
  CampaignOutcome run(const CampaignOptions& wanted) {
    std::ostringstream out;
    return run_campaign(wanted, signals_, out);
  }
  /// Status by "case/key"; the last record of a point counts.
  static std::map<std::string, results::PointRecord> points_of(const fs::path& journal) {
    std::map<std::string, results::PointRecord> points;
    results::for_each_record(journal, [&](const results::Record& record) {
      if (const auto* point = std::get_if<results::PointRecord>(&record))
        points[point->case_name + "/" + point->key] = *point;
    });
    return points;
  }
  static std::vector<results::ContextRecord> contexts_of(const fs::path& journal) {
    std::vector<results::ContextRecord> contexts;
    results::for_each_record(journal, [&](const results::Record& record) {
      if (const auto* context = std::get_if<results::ContextRecord>(&record)) contexts.push_back(*context);
    });
    return contexts;
  }

  fs::path folder_;
  std::atomic<int> signals_{0};
};

TEST_F(Campaign, WritesEveryPointAndPasses) {
  const CampaignOutcome outcome = run(options(plan("'memory.fake.steady'")));
  EXPECT_EQ(outcome.exit_code, 0);
  const auto points = points_of(outcome.journal);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points.at("memory.fake.steady/n=1").status, results::Status::ok);
}

TEST_F(Campaign, UnsupportedAloneIsInconclusiveAndNeverAPass) {
  EXPECT_EQ(run(options(plan("'memory.fake.unsupported'"))).exit_code, 3);
}

TEST_F(Campaign, AWrongAnswerFailsTheRun) {
  EXPECT_EQ(run(options(plan("'memory.fake.wrong'"))).exit_code, 1);
}

TEST_F(Campaign, ACrashIsRecordedAndTheRestStillRuns) {
  const CampaignOutcome outcome = run(options(plan("['memory.fake.crashes', 'memory.fake.steady']")));
  EXPECT_EQ(outcome.exit_code, 1);
  const auto points = points_of(outcome.journal);
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points.at("memory.fake.crashes/n=2").status, results::Status::failed);
  EXPECT_THAT(points.at("memory.fake.crashes/n=1").reason, HasSubstr("signal 11"));
  EXPECT_EQ(points.at("memory.fake.steady/n=2").status, results::Status::ok);
}

TEST_F(Campaign, ACrashIsRecordedInEveryRepetition) {
  const CampaignOutcome outcome =
      run(options(plan("['memory.fake.crashes', 'memory.fake.steady']", "repetitions = 2\n")));
  EXPECT_EQ(outcome.exit_code, 1);
  std::vector<std::string> crashed;
  int steady = 0;
  results::for_each_record(outcome.journal, [&](const results::Record& record) {
    const auto* point = std::get_if<results::PointRecord>(&record);
    if (point == nullptr) return;
    if (point->case_name == "memory.fake.steady") steady += point->status == results::Status::ok;
    if (point->status == results::Status::failed)
      crashed.push_back(point->key + "#" + std::to_string(point->repetition));
  });
  EXPECT_THAT(crashed, testing::ElementsAre("n=1#0", "n=1#1", "n=2#0", "n=2#1"));
  EXPECT_EQ(steady, 4);
}

TEST_F(Campaign, ACrashThatComesBackOnResumeIsRecordedAgain) {
  CampaignOptions wanted = options(plan("'memory.fake.crashes'", "axes = { n = 1 }\n"));
  run(wanted);
  wanted.resume = true;
  const CampaignOutcome resumed = run(wanted);
  EXPECT_EQ(resumed.exit_code, 1);
  std::vector<std::int64_t> processes;
  results::for_each_record(resumed.journal, [&](const results::Record& record) {
    if (const auto* point = std::get_if<results::PointRecord>(&record)) processes.push_back(point->process);
  });
  EXPECT_THAT(processes, testing::ElementsAre(0, 1));
}

TEST_F(Campaign, AHangIsRecordedAsTimeoutAndTheRestStillRuns) {
  const CampaignOutcome outcome = run(options(plan("['memory.fake.hangs', 'memory.fake.steady']")));
  EXPECT_EQ(outcome.exit_code, 1);
  const auto points = points_of(outcome.journal);
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points.at("memory.fake.hangs/n=1").status, results::Status::timeout);
  EXPECT_EQ(points.at("memory.fake.hangs/n=1").point.at(0).first, "n");
  EXPECT_GT(points.at("memory.fake.hangs/n=1").elapsed_s, 1.0);
  EXPECT_EQ(points.at("memory.fake.steady/n=1").status, results::Status::ok);
}

TEST_F(Campaign, AnInterruptFinishesTheSampleAndResumeCompletesTheRest) {
  CampaignOptions wanted = options(plan("'memory.fake.slow'", "axes = { n = '1:8:1' }\n"));
  std::thread presser([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    signals_ = 1;
  });
  const CampaignOutcome interrupted = run(wanted);
  presser.join();
  EXPECT_EQ(interrupted.exit_code, 4);
  const std::size_t before = points_of(interrupted.journal).size();
  EXPECT_GE(before, 1U);
  EXPECT_LT(before, 8U);
  signals_ = 0;
  wanted.resume = true;
  wanted.plan.clear();
  const CampaignOutcome resumed = run(wanted);
  EXPECT_EQ(resumed.exit_code, 0);
  EXPECT_EQ(points_of(resumed.journal).size(), 8U);
  const auto contexts = contexts_of(resumed.journal);
  ASSERT_EQ(contexts.size(), 2U);
  EXPECT_FALSE(contexts[0].resumed);
  EXPECT_TRUE(contexts[1].resumed);
  EXPECT_EQ(contexts[1].run_id, "run-1");
}

TEST_F(Campaign, ASecondResumeHasNothingLeftToDo) {
  CampaignOptions wanted = options(plan("'memory.fake.steady'"));
  run(wanted);
  wanted.resume = true;
  wanted.plan.clear();
  wanted.run_id.clear();
  EXPECT_EQ(run(wanted).exit_code, 0);
  EXPECT_EQ(contexts_of(folder_ / "runs/run-1/journal.jsonl").size(), 1U);
}

TEST_F(Campaign, AResumeWithNothingLeftToDoMakesNoFailureGood) {
  CampaignOptions wanted = options(plan("['memory.fake.wrong', 'memory.fake.steady']"));
  EXPECT_EQ(run(wanted).exit_code, 1);
  wanted.resume = true;
  EXPECT_EQ(run(wanted).exit_code, 1);
  wanted = options(plan("'memory.fake.unsupported'"));
  wanted.run_id = "run-2";
  EXPECT_EQ(run(wanted).exit_code, 3);
  wanted.resume = true;
  EXPECT_EQ(run(wanted).exit_code, 3);
}

TEST_F(Campaign, EveryProcessOfARunHasANumberOfItsOwn) {
  const fs::path journal = folder_ / "journal.jsonl";
  const std::string room = (fs::path(ASSAY_BUILD_DIR) / "fake_rooms/assay-memory").string();
  for (const char* benchmark : {"memory.fake.steady", "memory.fake.wrong"})
    Child({room, "--filter", benchmark, "--journal", journal.string(), "--run-id", "r"}, {}).wait();
  const auto contexts = contexts_of(journal);
  ASSERT_EQ(contexts.size(), 2U);
  EXPECT_EQ(contexts[0].process, 0);
  EXPECT_EQ(contexts[1].process, 1);
  EXPECT_FALSE(contexts[1].resumed);
  EXPECT_EQ(points_of(journal).at("memory.fake.wrong/n=1").process, 1);
  EXPECT_EQ(points_of(journal).at("memory.fake.wrong/n=1").sequence, 2);
}

TEST_F(Campaign, ResumeRunsFailedPointsAgain) {
  CampaignOptions wanted = options(plan("'memory.fake.fails'"));
  EXPECT_EQ(run(wanted).exit_code, 1);
  wanted.resume = true;
  EXPECT_EQ(run(wanted).exit_code, 1);
  int failed = 0;
  results::for_each_record(folder_ / "runs/run-1/journal.jsonl", [&](const results::Record& record) {
    failed += std::holds_alternative<results::PointRecord>(record);
  });
  EXPECT_EQ(failed, 4);
}

TEST_F(Campaign, ARoomKilledAtAnyMomentLosesAtMostThePointInFlight) {
  const fs::path journal = folder_ / "journal.jsonl";
  const std::string plan_file = plan("'memory.fake.steady'", "axes = { n = '1:40:1' }\n");
  const std::string room = (fs::path(ASSAY_BUILD_DIR) / "fake_rooms/assay-memory").string();
  const std::vector<std::string> command{room,        "--plan",         plan_file,
                                         "--journal", journal.string(), "--resume"};
  std::size_t known = 0;
  for (int kill_after_ms : {120, 260, 333, 471}) {
    Child child(command, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(kill_after_ms));
    child.send(SIGKILL);
    child.wait();
    const std::size_t now = fs::exists(journal) ? points_of(journal).size() : 0;
    EXPECT_GE(now, known);
    known = now;
  }
  EXPECT_GE(known, 2U);
  Child rest(command, {});
  EXPECT_EQ(rest.wait().exit_code, 0);
  EXPECT_EQ(points_of(journal).size(), 40U);
  EXPECT_TRUE(results::read_journal(journal).problems.empty());
}

TEST_F(Campaign, TwoInterruptsEndARoomAtOnce) {
  const std::string room = (fs::path(ASSAY_BUILD_DIR) / "fake_rooms/assay-memory").string();
  Child child({room, "--filter", "memory.fake.hangs", "--journal", (folder_ / "j.jsonl").string()}, {});
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  child.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_FALSE(child.ended());
  child.send(SIGINT);
  EXPECT_EQ(child.wait().exit_code, 4);
}

TEST_F(Campaign, AFullDiskStopsTheRoomWithoutLosingWhatWasMeasured) {
  const std::string room = (fs::path(ASSAY_BUILD_DIR) / "fake_rooms/assay-memory").string();
  const std::string script = "ulimit -f 24; trap '' XFSZ; TMPDIR=" + folder_.string() + " exec " + room +
                             " --filter 'memory.fake.steady' --axis n=1:50:1 --journal " +
                             (folder_ / "j.jsonl").string() + " 2>" + (folder_ / "errors").string();
  const Output output = run_and_read({"/bin/sh", "-c", script});
  EXPECT_EQ(output.ending.exit_code, 3);
  const auto points = points_of(folder_ / "j.jsonl");
  EXPECT_GE(points.size(), 1U);
  EXPECT_LT(points.size(), 50U);
  std::stringstream errors;
  errors << std::ifstream(folder_ / "errors").rdbuf();
  EXPECT_THAT(errors.str(), HasSubstr("File too large"));
}

TEST_F(Campaign, BadInputIsRefusedBeforeAnythingRuns) {
  using core::tests::message_of;
  EXPECT_THAT(message_of([&] { run(options(plan("'memroy.*'"))); }),
              HasSubstr("'memroy.*' names no room (there are: memory gemm offload rdma collectives)"));
  EXPECT_THAT(message_of([&] { run(options("no-such-plan")); }),
              HasSubstr("no such file, and no built-in plan"));
  CampaignOptions wanted = options(plan("'memory.fake.steady'"));
  wanted.filters = {"nothing.like.this"};
  EXPECT_THAT(message_of([&] { run(wanted); }), HasSubstr("nothing to run"));
  wanted.resume = true;
  wanted.run_id.clear();
  wanted.folder = folder_ / "empty";
  EXPECT_THAT(message_of([&] { run(wanted); }), HasSubstr("no run to resume"));
  EXPECT_FALSE(fs::exists(folder_ / "runs/run-1/journal.jsonl"));
}

TEST(Heartbeat, IsReadOrRefusedWithWhatWasExpected) {
  const Heartbeat beat = parse_heartbeat("0.700 2 memory.host.copy bytes=64,threads=1");
  EXPECT_DOUBLE_EQ(beat.budget_s, 0.7);
  EXPECT_EQ(beat.repetition, 2);
  EXPECT_EQ(beat.case_name, "memory.host.copy");
  EXPECT_EQ(beat.key, "bytes=64,threads=1");
  for (const char* torn :
       {"", "0.7", "0.7 ", "0.7 1", "0.7 1 ", "0.7 1 memory.host.copy", "x 1 a b", "0.7 a b c"})
    EXPECT_THAT(core::tests::message_of([&] { parse_heartbeat(torn); }),
                HasSubstr("expected: budget repetition case point"))
        << torn;
}

TEST(WorseExit, IsNeverBetterThanTheWorstRoom) {
  EXPECT_EQ(worse_exit(0, 3), 3);
  EXPECT_EQ(worse_exit(3, 1), 1);
  EXPECT_EQ(worse_exit(1, 4), 4);
  EXPECT_EQ(worse_exit(0, 0), 0);
}

}  // namespace
}  // namespace assay::suite
