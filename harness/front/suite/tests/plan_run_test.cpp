// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whole runs against a module of fake cases: what they end with, and what --resume does.
#include "harness/front/suite/processes/plan_run.hpp"

#include <gmock/gmock.h>

#include <chrono>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/front/suite/kept_plan.hpp"
#include "harness/front/suite/processes/child.hpp"
#include "harness/front/suite/tests/plan_run_fixture.hpp"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class PlanRun : public tests::PlanRunTest {};

TEST_F(PlanRun, WritesEveryPointAndPasses) {
  const RunOutcome outcome = run(options(plan("'memory.fake.steady'")));
  EXPECT_EQ(outcome.exit_code, 0);
  const auto points = points_of(outcome.journal);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points.at("memory.fake.steady/n=1").status, results::Status::ok);
}

TEST_F(PlanRun, UnsupportedAloneIsInconclusiveAndNeverAPass) {
  EXPECT_EQ(run(options(plan("'memory.fake.unsupported'"))).exit_code, 3);
}

TEST_F(PlanRun, LeavesOutInOneLineWhatThisMachineWasBuiltWithout) {
  if (!machine::look().lacks(machine::Hardware::gpu)) GTEST_SKIP() << "this machine has a GPU";
  std::ostringstream out;
  RunOptions wanted = options(plan("['memory.cuda.fake', 'memory.fake.steady']"));
  const RunOutcome outcome = run_plan(wanted, signals_, out);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(out.str(), HasSubstr("2 points, at most"));
  EXPECT_THAT(out.str(), HasSubstr("\nno GPU: 2 points left out\n"));
  EXPECT_EQ(points_of(outcome.journal).at("memory.cuda.fake/n=1").reason, "no GPU");
  wanted.resume = true;
  EXPECT_EQ(run(wanted).exit_code, 0);
}

TEST_F(PlanRun, LeavesOutInOneLineWhatThisProgramWasBuiltWithout) {
  std::ostringstream out;
  RunOptions wanted = options(plan("['memory.cuda.not_built', 'memory.fake.steady']"));
  const RunOutcome outcome = run_plan(wanted, signals_, out);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(out.str(), HasSubstr("2 points, at most"));
  EXPECT_THAT(out.str(), HasSubstr("\nbuilt without CUDA: 2 points left out\n"));
  const auto points = points_of(outcome.journal);
  EXPECT_EQ(points.at("memory.cuda.not_built/n=1").status, results::Status::unsupported);
  EXPECT_EQ(points.at("memory.cuda.not_built/n=1").reason, "built without CUDA");
  EXPECT_EQ(points.at("memory.fake.steady/n=1").status, results::Status::ok);
  wanted.resume = true;
  EXPECT_EQ(run(wanted).exit_code, 0);
  EXPECT_EQ(size_of_plan(wanted, signals_).left_out.at("built without CUDA"), 2);
}

TEST_F(PlanRun, IsCountedForAssumedGpusWithWhatThisMachineAndBuildLack) {
  RunOptions wanted = options(plan("['memory.cuda.not_built', 'memory.cuda.fake', 'memory.fake.steady']"));
  const PlanSize here = size_of_plan(wanted, signals_);
  wanted.assumed = {.gpu = "h100", .gpus = 8};
  const PlanSize assumed = size_of_plan(wanted, signals_);
  EXPECT_EQ(machine::points_of(here.left_out), 4);
  EXPECT_TRUE(assumed.left_out.empty());
  EXPECT_EQ(assumed.points, here.points + 4);
  EXPECT_NEAR(assumed.budget_s - here.budget_s, 4 * (0.05 + 0.02 + 0.1), 1e-9)
      << "sampling, warm-up, preparing";
  ASSERT_EQ(assumed.modules.size(), 1U);
  EXPECT_EQ(assumed.modules[0].points, assumed.points);
}

TEST_F(PlanRun, IsNoPassWhereNothingOfItIsBuilt) {
  EXPECT_EQ(run(options(plan("'memory.cuda.not_built'"))).exit_code, 3);
}

TEST_F(PlanRun, IsNoPassWhereWhatUsesARequiredGpuIsNotBuilt) {
  RunOptions wanted = options(plan("['memory.cuda.not_built', 'memory.fake.steady']"));
  wanted.require = {machine::Hardware::gpu};
  testing::internal::CaptureStderr();
  EXPECT_EQ(run(wanted).exit_code, 3);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("--require gpu: assay was built without CUDA\n"));
}

TEST_F(PlanRun, RefusesAMisspeltNameNextToOneThatIsNotBuilt) {
  const RunOptions wanted = options(plan("['memory.cuda.not_built', 'memory.cuda.not_bilt']"));
  testing::internal::CaptureStderr();
  EXPECT_THROW(run(wanted), core::Error);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("plan.toml:4: no case is named 'memory.cuda.not_bilt' (there are: "));
  EXPECT_FALSE(fs::exists(folder_ / "runs/run-1/journal.jsonl"));
}

TEST_F(PlanRun, IsNoPassWhereRequiredHardwareIsAbsentOrNothingCanBeMeasured) {
  if (!machine::look().lacks(machine::Hardware::gpu)) GTEST_SKIP() << "this machine has a GPU";
  RunOptions wanted = options(plan("['memory.cuda.fake', 'memory.fake.steady']"));
  wanted.require = {machine::Hardware::gpu};
  EXPECT_EQ(run(wanted).exit_code, 3);
  EXPECT_EQ(points_of(folder_ / "runs/run-1/journal.jsonl").size(), 4U) << "the rest is measured";
  wanted = options(plan("'memory.cuda.fake'"));
  wanted.run_id = "run-2";
  EXPECT_EQ(run(wanted).exit_code, 3);
}

TEST_F(PlanRun, AWrongAnswerFailsTheRun) {
  EXPECT_EQ(run(options(plan("'memory.fake.wrong'"))).exit_code, 1);
}

TEST_F(PlanRun, ASecondResumeHasNothingLeftToDo) {
  RunOptions wanted = options(plan("'memory.fake.steady'"));
  run(wanted);
  wanted.resume = true;
  wanted.plan.clear();
  wanted.run_id.clear();
  EXPECT_EQ(run(wanted).exit_code, 0);
  EXPECT_EQ(contexts_of(folder_ / "runs/run-1/journal.jsonl").size(), 1U);
}

TEST_F(PlanRun, AResumeWithNothingLeftToDoMakesNoFailureGood) {
  RunOptions wanted = options(plan("['memory.fake.wrong', 'memory.fake.steady']"));
  EXPECT_EQ(run(wanted).exit_code, 1);
  wanted.resume = true;
  EXPECT_EQ(run(wanted).exit_code, 1);
  wanted = options(plan("'memory.fake.unsupported'"));
  wanted.run_id = "run-2";
  EXPECT_EQ(run(wanted).exit_code, 3);
  wanted.resume = true;
  EXPECT_EQ(run(wanted).exit_code, 3);
}

TEST_F(PlanRun, EveryProcessOfARunHasANumberOfItsOwn) {
  const fs::path journal = folder_ / "journal.jsonl";
  for (const char* benchmark : {"memory.fake.steady", "memory.fake.wrong"})
    Child({module(), "--filter", benchmark, "--journal", journal.string(), "--run-id", "r"}, {}).wait();
  const auto contexts = contexts_of(journal);
  ASSERT_EQ(contexts.size(), 2U);
  EXPECT_EQ(contexts[0].process, 0);
  EXPECT_EQ(contexts[1].process, 1);
  EXPECT_FALSE(contexts[1].resumed);
  EXPECT_EQ(points_of(journal).at("memory.fake.wrong/n=1").process, 1);
  EXPECT_EQ(points_of(journal).at("memory.fake.wrong/n=1").sequence, 2);
}

TEST_F(PlanRun, ResumeRunsFailedPointsAgain) {
  RunOptions wanted = options(plan("'memory.fake.fails'"));
  EXPECT_EQ(run(wanted).exit_code, 1);
  wanted.resume = true;
  EXPECT_EQ(run(wanted).exit_code, 1);
  int failed = 0;
  results::for_each_record(folder_ / "runs/run-1/journal.jsonl", [&](const results::Record& record) {
    failed += std::holds_alternative<results::PointRecord>(record);
  });
  EXPECT_EQ(failed, 4);
}

TEST_F(PlanRun, BadInputIsRefusedBeforeAnythingRuns) {
  using core::tests::message_of;
  EXPECT_THAT(message_of([&] { run(options(plan("'memroy.*'"))); }),
              HasSubstr("'memroy.*' names no module (there are: memory gemm offload rdma collectives)"));
  EXPECT_THAT(message_of([&] { run(options("no-such-plan")); }),
              HasSubstr("no such file, and no built-in plan"));
  RunOptions wanted = options(plan("'memory.fake.steady'"));
  wanted.filters = {"nothing.like.this"};
  EXPECT_THAT(message_of([&] { run(wanted); }), HasSubstr("nothing to run"));
  wanted.resume = true;
  wanted.run_id.clear();
  wanted.folder = folder_ / "empty";
  EXPECT_THAT(message_of([&] { run(wanted); }), HasSubstr("no run to resume"));
  EXPECT_FALSE(fs::exists(folder_ / "runs/run-1/journal.jsonl"));
}

TEST_F(PlanRun, ARefusedRunLeavesNoFolder) {
  using core::tests::message_of;
  RunOptions wanted = options(plan("'memory.fake.steady'"));
  wanted.modules = {"memory"};
  wanted.filters = {"nothing.like.this"};
  EXPECT_THAT(message_of([&] { run(wanted); }), HasSubstr("nothing to run"));
  EXPECT_FALSE(fs::exists(folder_ / "runs")) << "nor a folder of runs that it made";
  fs::create_directories(folder_ / "runs");
  wanted.filters.clear();
  wanted.axes = {"nothing=1"};
  EXPECT_THAT(message_of([&] { run(wanted); }), HasSubstr("no case of this run has such an axis"));
  EXPECT_TRUE(fs::is_empty(folder_ / "runs"));
  fs::create_directories(folder_ / "runs/run-1");
  EXPECT_NE(message_of([&] { run(wanted); }), "");
  EXPECT_TRUE(fs::exists(folder_ / "runs/run-1")) << "who made it may want it";
  wanted.axes.clear();
  wanted.run_id = "run-2";
  EXPECT_EQ(run(wanted).exit_code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "runs/run-2/plan.toml"));
}

TEST_F(PlanRun, AResumeGoesOnWithTheFiltersAndAxesOfTheRun) {
  RunOptions wanted = options(plan("'memory.fake.*'"));
  wanted.filters = {"memory.fake.steady"};
  wanted.axes = {"n=7"};
  EXPECT_EQ(run(wanted).exit_code, 0);
  wanted.resume = true;
  wanted.plan.clear();
  wanted.filters.clear();
  wanted.axes.clear();
  const RunOutcome resumed = run(wanted);
  EXPECT_EQ(resumed.exit_code, 0);
  ASSERT_EQ(points_of(resumed.journal).size(), 1U);
  EXPECT_EQ(points_of(resumed.journal).count("memory.fake.steady/n=7"), 1U);
}

TEST_F(PlanRun, MeasuresTheModulesThatWereAskedForAndSoDoesItsResume) {
  const fs::path programs = folder_ / "programs",
                 built = fs::path(ASSAY_BUILD_DIR) / "fake_modules/assay-memory";
  fs::create_directories(programs);
  for (const char* name : {"assay-memory", "assay-gemm"}) fs::create_symlink(built, programs / name);
  RunOptions wanted = options(plan("'*.fake.steady'"));
  wanted.programs_folder = programs;
  wanted.modules = {"gemm"};
  EXPECT_EQ(run(wanted).exit_code, 0);
  wanted.modules.clear();
  wanted.plan.clear();
  wanted.resume = true;
  const RunOutcome resumed = run(wanted);
  EXPECT_EQ(resumed.exit_code, 0);
  EXPECT_EQ(contexts_of(resumed.journal).size(), 1U);
}

TEST_F(PlanRun, RefusesAModuleThatIsNoneBeforeAFolderIsMade) {
  RunOptions wanted = options(plan("'memory.fake.steady'"));
  wanted.modules = {"memory", "gem"};
  EXPECT_EQ(core::tests::message_of([&] { run(wanted); }),
            "--modules: 'gem' is not a module (expected some of: memory gemm offload rdma collectives)");
  EXPECT_FALSE(fs::exists(folder_ / "runs/run-1"));
}

TEST_F(PlanRun, ARunThatExistsIsNotStartedAgain) {
  const RunOptions wanted = options(plan("'memory.fake.steady'"));
  run(wanted);
  EXPECT_THAT(core::tests::message_of([&] { run(wanted); }),
              HasSubstr("runs/run-1: this run exists (expected --resume, or another --run-id)"));
}

TEST_F(PlanRun, TheLatestRunIsTheOneStartedLastWhateverItsName) {
  for (const char* name : {"a", "c", "b", "refused"}) {
    fs::create_directories(folder_ / "runs" / name);
    std::ofstream(folder_ / "runs" / name / "plan.toml") << "";
    if (name != std::string("refused")) std::ofstream(folder_ / "runs" / name / "journal.jsonl") << "";
  }
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(folder_ / "runs/a/plan.toml", now);
  fs::last_write_time(folder_ / "runs/b/plan.toml", now - std::chrono::seconds(1));
  fs::last_write_time(folder_ / "runs/c/plan.toml", now - std::chrono::seconds(2));
  EXPECT_EQ(latest_with(folder_ / "runs", "plan.toml", "journal.jsonl", "run"), "a");
}

TEST_F(PlanRun, AFilterOfGoogleBenchmarkSelectsPointsAlsoWhenResumed) {
  RunOptions wanted = options(plan("'memory.fake.*'"));
  wanted.benchmark_filter = "fake[.](steady|fails)/n=1$";
  std::ostringstream out;
  const RunOutcome outcome = run_plan(wanted, signals_, out);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(out.str(), HasSubstr("2 points, at most"));
  EXPECT_THAT(points_of(outcome.journal),
              testing::UnorderedElementsAre(testing::Key("memory.fake.steady/n=1"),
                                            testing::Key("memory.fake.fails/n=1")));
  wanted.resume = true;
  wanted.benchmark_filter.clear();
  wanted.plan.clear();
  EXPECT_EQ(run(wanted).exit_code, 1);
  EXPECT_EQ(points_of(outcome.journal).size(), 2U);
}

TEST_F(PlanRun, RefusesAFilterThatIsNoRegularExpression) {
  RunOptions wanted = options(plan("'memory.fake.steady'"));
  wanted.benchmark_filter = "n=(1";
  EXPECT_THAT(core::tests::message_of([&] { run(wanted); }), "");  // the module says why
}

TEST_F(PlanRun, AListingOfGoogleBenchmarkIsNoRun) {
  const fs::path journal = folder_ / "j.jsonl";
  const Output listed = run_and_read({module(), "--benchmark_list_tests", "--journal", journal.string()});
  EXPECT_EQ(listed.ending.exit_code, 0);
  EXPECT_THAT(listed.text, HasSubstr("memory.fake.steady/n=1"));
  EXPECT_FALSE(fs::exists(journal));
}

TEST(WorseExit, IsNeverBetterThanTheWorstModule) {
  EXPECT_EQ(worse_exit(0, 3), 3);
  EXPECT_EQ(worse_exit(3, 1), 1);
  EXPECT_EQ(worse_exit(1, 4), 4);
  EXPECT_EQ(worse_exit(0, 0), 0);
}

}  // namespace
}  // namespace assay::suite
