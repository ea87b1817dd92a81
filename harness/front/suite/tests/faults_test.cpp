// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Losses of runs to crashes, hangs, kills, interrupts and a full disk: at most the point in flight.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "harness/core/tests/eventually.hpp"
#include "harness/front/suite/processes/child.hpp"
#include "harness/front/suite/tests/plan_run_fixture.hpp"
#include "results/tests/read_journal.hpp"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;
using core::tests::eventually;
using core::tests::eventually_waits;
using testing::HasSubstr;

class Faults : public tests::PlanRunTest {
 protected:
  Faults() { setenv("ASSAY_FAKE_STAYS", stays_.c_str(), 1); }
  ~Faults() override { unsetenv("ASSAY_FAKE_STAYS"); }

  static bool await_points(const fs::path& journal, std::size_t count) {
    return eventually([&] { return fs::exists(journal) && points_of(journal).size() >= count; });
  }
  /// The module's process, once it is in a point that does not end.
  pid_t await_stay() const {
    pid_t process = 0;
    EXPECT_TRUE(eventually([&] { return static_cast<bool>(std::ifstream(stays_) >> process); }));
    EXPECT_TRUE(eventually_waits(process, process));
    return process;
  }

  const fs::path stays_ = folder_ / "stays", journal_of_run_ = folder_ / "runs/run-1/journal.jsonl";
};

/// Sent to the process and not yet taken.
bool is_pending(int signal, pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  std::uint64_t pending = 0;
  for (std::string key; status >> key;)
    if (key == "ShdPnd:") status >> std::hex >> pending;
  return (pending >> (signal - 1) & 1) != 0;
}

/// "process 4711 (state S) ...": it holds this test's output open, for which ctest waits.
void end_left_behind(const std::string& sentence) {
  constexpr std::string_view before = "process ";
  const std::size_t at = sentence.find(before);
  ASSERT_NE(at, std::string::npos) << sentence;
  const pid_t process = std::stoi(sentence.substr(at + before.size()));
  ASSERT_GT(process, 1);
  kill(process, SIGKILL);
}

TEST_F(Faults, ACrashIsRecordedAndTheRestStillRuns) {
  const RunOutcome outcome = run(options(plan("['memory.fake.crashes', 'memory.fake.steady']")));
  EXPECT_EQ(outcome.exit_code, 1);
  const auto points = points_of(outcome.journal);
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points.at("memory.fake.crashes/n=2").status, results::Status::failed);
  EXPECT_THAT(points.at("memory.fake.crashes/n=1").reason, HasSubstr("signal 11"));
  EXPECT_EQ(points.at("memory.fake.steady/n=2").status, results::Status::ok);
}

TEST_F(Faults, ACrashIsRecordedInEveryRepetition) {
  const RunOutcome outcome =
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

TEST_F(Faults, ACrashThatComesBackOnResumeIsRecordedAgain) {
  RunOptions wanted = options(plan("'memory.fake.crashes'", "axes = { n = 1 }\n"));
  run(wanted);
  wanted.resume = true;
  const RunOutcome resumed = run(wanted);
  EXPECT_EQ(resumed.exit_code, 1);
  std::vector<std::int64_t> processes;
  results::for_each_record(resumed.journal, [&](const results::Record& record) {
    if (const auto* point = std::get_if<results::PointRecord>(&record)) processes.push_back(point->process);
  });
  EXPECT_THAT(processes, testing::ElementsAre(0, 1));
}

TEST_F(Faults, AHangIsRecordedAsTimeoutAndTheRestStillRuns) {
  const RunOutcome outcome = run(options(plan("['memory.fake.hangs', 'memory.fake.steady']")));
  EXPECT_EQ(outcome.exit_code, 1);
  const auto points = points_of(outcome.journal);
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points.at("memory.fake.hangs/n=1").status, results::Status::timeout);
  EXPECT_EQ(points.at("memory.fake.hangs/n=1").point.at(0).first, "n");
  EXPECT_GT(points.at("memory.fake.hangs/n=1").elapsed_s, 1.0);
  EXPECT_EQ(points.at("memory.fake.steady/n=1").status, results::Status::ok);
}

TEST_F(Faults, APointThatLastsLongIsNoHang) {
  const RunOutcome outcome = run(options(plan("'memory.fake.lasts'", "axes = { n = '1' }\n")));
  EXPECT_EQ(outcome.exit_code, 0);
  const auto points = points_of(outcome.journal);
  EXPECT_EQ(points.at("memory.fake.lasts/n=1").status, results::Status::ok);
  // Longer than the second and five budgets of 0.17 s that it may be silent.
  EXPECT_GT(points.at("memory.fake.lasts/n=1").elapsed_s, 2.0);
}

TEST_F(Faults, AnInterruptFinishesTheSampleAndResumeCompletesTheRest) {
  RunOptions wanted = options(plan("'memory.fake.slow'", "axes = { n = '1:8:1' }\n"));
  std::thread presser([this] {
    EXPECT_TRUE(await_points(journal_of_run_, 1));
    signals_ = 1;
  });
  const RunOutcome interrupted = run(wanted);
  presser.join();
  EXPECT_EQ(interrupted.exit_code, 4);
  const std::size_t before = points_of(interrupted.journal).size();
  EXPECT_GE(before, 1U);
  EXPECT_LT(before, 8U);
  signals_ = 0;
  wanted.resume = true;
  wanted.plan.clear();
  const RunOutcome resumed = run(wanted);
  EXPECT_EQ(resumed.exit_code, 0);
  EXPECT_EQ(points_of(resumed.journal).size(), 8U);
  const auto contexts = contexts_of(resumed.journal);
  ASSERT_EQ(contexts.size(), 2U);
  EXPECT_FALSE(contexts[0].resumed);
  EXPECT_TRUE(contexts[1].resumed);
  EXPECT_EQ(contexts[1].run_id, "run-1");
}

TEST_F(Faults, AnInterruptBetweenModulesIsNoPass) {
  RunOptions wanted = options(plan("'memory.fake.steady'"));
  EXPECT_EQ(run(wanted).exit_code, 0);
  wanted.resume = true;
  signals_ = 1;
  EXPECT_EQ(run(wanted).exit_code, 4);
}

TEST_F(Faults, TwoInterruptsAtTheSameMomentEndTheRunAtOnce) {
  std::thread presser([this] {
    await_stay();
    signals_ = 2;
  });
  RunOptions wanted = options(plan("'memory.fake.hangs'"));
  wanted.slack_s = 60;
  const auto start = std::chrono::steady_clock::now();
  const RunOutcome outcome = run(wanted);
  presser.join();
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST_F(Faults, OneInterruptEndsAModuleThatHangsWithinABoundAndKeepsWhatWasMeasured) {
  RunOptions wanted = options(plan("['memory.fake.steady', 'memory.fake.hangs']"));
  wanted.slack_s = 60;
  wanted.interrupted_s = 0.5;
  std::thread presser([this] {
    EXPECT_TRUE(await_points(journal_of_run_, 2));
    await_stay();
    signals_ = 1;
  });
  const auto start = std::chrono::steady_clock::now();
  const RunOutcome outcome = run(wanted);
  presser.join();
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  const auto points = points_of(outcome.journal);
  EXPECT_EQ(points.at("memory.fake.steady/n=2").status, results::Status::ok);
  EXPECT_FALSE(points.contains("memory.fake.hangs/n=1")) << "an interrupt is no failure";
}

TEST_F(Faults, AProcessThatNoSignalEndsIsLeftBehindAndNamed) {
  const fs::path journal = folder_ / "j.jsonl";
  Child child({module(), "--filter", "memory.fake.cannot_be_killed", "--journal", journal.string()},
              {.dies_within_s = 0.2});
  await_stay();
  child.kill_after(0);
  const Ending ending = child.wait();
  EXPECT_THAT(ending.left_behind, testing::MatchesRegex("process [0-9]+ .state [RSD]. did not end within 0.2 "
                                                        "s of its kill: left behind"));
  EXPECT_EQ(ending.signal, SIGKILL);
  end_left_behind(ending.left_behind);
}

TEST_F(Faults, AModuleThatNoSignalEndsIsATimeoutAndIsNotStartedAgain) {
  const RunOutcome outcome = run(options(plan("'memory.fake.cannot_be_killed'", "axes = { n = '1:3:1' }\n")));
  EXPECT_EQ(outcome.exit_code, 1);
  const auto points = points_of(outcome.journal);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points.begin()->second.status, results::Status::timeout);
  EXPECT_THAT(points.begin()->second.reason, HasSubstr("did not end within 9 s of its kill: left behind"));
  end_left_behind(points.begin()->second.reason);
}

TEST_F(Faults, ALibraryThatEndsTheProcessIsRecordedAndTheRestStillRuns) {
  const RunOutcome outcome = run(options(plan("['memory.fake.exits', 'memory.fake.steady']")));
  EXPECT_EQ(outcome.exit_code, 1);
  const auto points = points_of(outcome.journal);
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points.at("memory.fake.exits/n=1").reason, "the module's process ended with exit code 77");
  EXPECT_EQ(points.at("memory.fake.steady/n=2").status, results::Status::ok);
}

TEST_F(Faults, AModuleThatCannotStartCostsItselfAndIsNoPass) {
  RunOptions wanted = options(plan("'*.fake.steady'"));
  const fs::path modules = folder_ / "modules";
  fs::create_directory(modules);
  fs::create_symlink(wanted.programs_folder / "assay-memory", modules / "assay-memory");
  std::ofstream(modules / "assay-gemm") << "#!/bin/sh\nexit 127\n";
  fs::permissions(modules / "assay-gemm", fs::perms::owner_all);
  wanted.programs_folder = modules;
  const RunOutcome outcome = run(wanted);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(points_of(outcome.journal).at("memory.fake.steady/n=1").status, results::Status::ok);
}

TEST_F(Faults, AModuleGoesOnWhenNobodyReadsItsLines) {
  Pipe pipe;
  const fs::path journal = folder_ / "journal.jsonl";
  const fs::path may_begin = folder_ / "may_begin";
  ASSERT_EQ(mkfifo(may_begin.c_str(), 0600), 0);
  Child child({"/bin/sh", "-c",
               ": <" + may_begin.string() + "; exec " + module() + " --filter memory.fake.steady --journal " +
                   journal.string()},
              {.stdout_descriptor = pipe.write_end()});
  pipe.close_read_end();
  pipe.close_write_end();
  std::ofstream{may_begin};
  EXPECT_EQ(child.wait().exit_code, 0);
  EXPECT_EQ(points_of(journal).size(), 2U);
}

TEST_F(Faults, AModuleKilledAtAnyMomentLosesAtMostThePointInFlight) {
  const fs::path journal = folder_ / "journal.jsonl";
  const std::string plan_file = plan("'memory.fake.steady'", "axes = { n = '1:40:1' }\n");
  const std::vector<std::string> command{module(),    "--plan",         plan_file,
                                         "--journal", journal.string(), "--resume"};
  std::size_t known = 0;
  for (const std::size_t points : {1, 3, 8, 17}) {
    Child child(command, {});
    EXPECT_TRUE(await_points(journal, points));
    child.send(SIGKILL);
    child.wait();
    const std::size_t now = points_of(journal).size();
    EXPECT_GE(now, std::max(known, points));
    EXPECT_LT(now, 40U) << "it had ended before it was killed";
    known = now;
  }
  Child rest(command, {});
  EXPECT_EQ(rest.wait().exit_code, 0);
  EXPECT_EQ(points_of(journal).size(), 40U);
  EXPECT_TRUE(results::read_journal(journal).problems.empty());
}

TEST_F(Faults, TwoInterruptsEndAModuleAtOnce) {
  Child child({module(), "--filter", "memory.fake.hangs", "--journal", (folder_ / "j.jsonl").string()}, {});
  const pid_t module = await_stay();
  child.send(SIGINT);
  EXPECT_TRUE(eventually([&] { return !is_pending(SIGINT, module); }));
  EXPECT_TRUE(eventually_waits(module, module)) << "it goes on";
  EXPECT_FALSE(child.ended());
  child.send(SIGINT);
  EXPECT_EQ(child.wait().exit_code, 4);
}

TEST_F(Faults, AFullDiskStopsTheModuleWithoutLosingWhatWasMeasured) {
  const std::string script = "ulimit -f 24; trap '' XFSZ; TMPDIR=" + folder_.string() + " exec " + module() +
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

}  // namespace
}  // namespace assay::suite
