// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay run --failed` against a module of fake cases, one of which fails while a variable is set.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "harness/core/tests/temporary_folder.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "results/record/journal.hpp"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FailedAgainRun : public testing::Test {
 protected:
  FailedAgainRun() {
    fs::create_directories(folder_.path() / "programs");
    for (const char* name : {"assay-memory", "assay-gemm"})
      fs::create_symlink(fs::path(ASSAY_BUILD_DIR) / "fake_modules/assay-memory",
                         folder_.path() / "programs" / name);
    write_plan("['memory.fake.steady', 'memory.fake.fails_while_broken']");
  }
  void write_plan(const std::string& cases) const {
    std::ofstream(folder_.path() / "plan.toml")
        << "[measure]\nmax_seconds = 0.05\nmax_warmup_seconds = 0.02\n"
        << "[[sweep]]\ncases = " << cases << "\n";
  }
  tests::Said said(const std::string& arguments, const std::string& variables = "") const {
    const suite::Output output =
        suite::run_and_read({"/bin/sh", "-c",
                             "cd " + folder_.path().string() + " && " + variables + " " + ASSAY_BIN_DIR +
                                 "/assay run --programs programs --silence 5 " + arguments + " 2>&1"});
    return {output.ending.exit_code, output.text};
  }
  /// Records of each point.
  std::map<std::string, int> records(const std::string& run = "r") const {
    std::map<std::string, int> counts;
    results::for_each_record(folder_.path() / "assay-results" / run / "journal.jsonl",
                             [&](const results::Record& record) {
                               if (const auto* point = std::get_if<results::PointRecord>(&record))
                                 ++counts[point->case_name + "/" + point->key];
                             });
    return counts;
  }
  void run_broken() const {
    ASSERT_EQ(said("--plan plan.toml --run-id r", "ASSAY_FAKE_BROKEN=1").exit_code, 1);
  }

  const core::tests::TemporaryFolder folder_;
};

TEST_F(FailedAgainRun, MeasuresFailedPointsAloneAndTheLaterRecordDecides) {
  run_broken();
  const tests::Said again = said("--failed");
  EXPECT_EQ(again.exit_code, 0) << again.text;
  EXPECT_THAT(again.text, HasSubstr("run r: 2 points again\n  memory.fake.fails_while_broken/n=1: failed: "));
  EXPECT_EQ(records()["memory.fake.steady/n=1"], 1);
  EXPECT_EQ(records()["memory.fake.fails_while_broken/n=1"], 2);
  const tests::Said nothing = said("--failed --run-id r");
  EXPECT_EQ(nothing.exit_code, 0);
  EXPECT_EQ(nothing.text, "run r: no point failed, nothing to measure again\n");
}

TEST_F(FailedAgainRun, AFilterLeavesTheOthersFailed) {
  run_broken();
  const tests::Said one = said("--failed --filter '*/n=2'");
  EXPECT_EQ(one.exit_code, 1) << "the other is failed still: " << one.text;
  EXPECT_EQ(records()["memory.fake.fails_while_broken/n=1"], 1);
  EXPECT_EQ(records()["memory.fake.fails_while_broken/n=2"], 2);
  EXPECT_EQ(said("--failed").exit_code, 0);
}

TEST_F(FailedAgainRun, PointsThatTakeTheirModuleWithThemRunAgainOnce) {
  write_plan("['memory.fake.crashes', 'memory.fake.steady']");
  ASSERT_EQ(said("--plan plan.toml --run-id r").exit_code, 1);
  EXPECT_EQ(said("--failed").exit_code, 1);
  EXPECT_EQ(records()["memory.fake.crashes/n=1"], 2);
  EXPECT_EQ(records()["memory.fake.crashes/n=2"], 2);
  EXPECT_EQ(records()["memory.fake.steady/n=1"], 1);
}

TEST_F(FailedAgainRun, PointsThatThePlanNoLongerHasAreOneLine) {
  run_broken();
  write_plan("'memory.fake.steady'");
  const tests::Said gone = said("--failed --plan plan.toml");
  EXPECT_EQ(gone.exit_code, 3) << gone.text;
  EXPECT_THAT(gone.text,
              HasSubstr("assay: 2 of the 2 points are not in the plan of this run now, and stay as "
                        "they are: the first is memory.fake.fails_while_broken/n=1#0\n"));
  EXPECT_EQ(records()["memory.fake.steady/n=1"], 1);
}

TEST_F(FailedAgainRun, OfAStoreItGoesOnInAFolderOfItsOwn) {
  run_broken();
  fs::rename(folder_.path() / "assay-results/store.sqlite", folder_.path() / "fleet.sqlite");
  fs::remove_all(folder_.path() / "assay-results");
  const tests::Said again = said("--failed --store fleet.sqlite");
  EXPECT_EQ(again.exit_code, 0) << again.text;
  EXPECT_EQ(records()["memory.fake.steady/n=1"], 1);
  EXPECT_EQ(records()["memory.fake.fails_while_broken/n=2"], 2);
}

TEST_F(FailedAgainRun, RefusesARunThatIsNotThere) {
  EXPECT_EQ(said("--failed").text, "assay: assay-results: no run to resume\n");
  EXPECT_THAT(said("--failed --run-id none").text,
              HasSubstr("assay-results/none: no such run (expected one"));
  EXPECT_EQ(said("--failed --run-id none").exit_code, 2);
  EXPECT_EQ(said("--store s").exit_code, 2);
  EXPECT_EQ(said("--failed --resume").exit_code, 2);
  EXPECT_EQ(said("--failed --axis n=3").text,
            "assay: run: --failed excludes --show-commands, --axis and --benchmark_filter\n");
  EXPECT_THAT(said("--failed --store none.sqlite").text, HasSubstr("none.sqlite: no such store"));
}

}  // namespace
}  // namespace assay::cli
