// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay top` of a run that is still being written, of a campaign with verdicts, and of a store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "harness/front/cli/tests/said.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/record/journal.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"
#include "results/tests/small_fleet.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class Top : public testing::Test {
 protected:
  /// A run of memory with two good points and a failed one, which has not ended.
  void write_run(const std::filesystem::path& file, bool ended = false) {
    results::test::RunBuilder builder("r1");
    builder.begin(0, "memory");
    for (const std::int64_t bytes : {8, 64})
      builder.measured(builder.point("memory.host.copy", {{"bytes", bytes}}), 1e-6,
                       {"bandwidth_gb_per_s", "GB/s", [](double s) { return 1e-6 / s; }});
    builder.not_measured(builder.point("memory.host.fill", {{"bytes", std::int64_t{512}}}),
                         results::Status::failed, "no memory");
    if (ended) builder.end();
    std::filesystem::create_directories(file.parent_path());
    results::JournalWriter writer(file);
    for (const results::Record& record : builder.take()) writer.write(record);
  }
  tests::Said top(const std::string& arguments) {
    return tests::assay_in(folder_.path().string(), "top --once " + arguments);
  }

  const results::test::TemporaryFolder folder_;
};

TEST_F(Top, ShowsUnitsRatesAndBadPointsOfTheNewestRun) {
  write_run(folder_ / "assay-results/r1/journal.jsonl");
  const tests::Said said = top("");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, HasSubstr("assay-results/r1: 3 points, running"));
  EXPECT_THAT(said.text,
              testing::ContainsRegex("node-a +memory +simulated +runs +2 +1 +0 +180"));  // 3 in 1 s of points
  EXPECT_THAT(said.text, HasSubstr("verdict so far: none\n"));
  EXPECT_THAT(said.text,
              HasSubstr("latest bad points:\n  node-a: memory.host.fill bytes=512: failed: no memory\n"));
  EXPECT_THAT(said.text, Not(HasSubstr("\033")));
}

TEST_F(Top, ALineThatIsStillBeingWrittenIsNoFault) {
  write_run(folder_ / "r1/journal.jsonl");
  std::ofstream(folder_ / "r1/journal.jsonl", std::ios::app) << "{\"record\":\"poi";
  EXPECT_THAT(top("r1").text, HasSubstr("r1: 3 points, running"));
}

TEST_F(Top, ShowsTheNodesOfACampaignAndItsVerdicts) {
  write_run(folder_ / "c1/nodes/a/measure/journal.jsonl", true);
  std::ofstream(folder_ / "c1/campaign.toml") << "";
  results::Verdicts verdicts{.command = "campaign", .subject = "one node"};
  verdicts.rows = {
      {.unit = "node-a", .metric = "gpu.ecc", .verdict = results::Verdict::fail, .because = "3 errors"},
      {.unit = "node-a", .metric = "kernel.log", .verdict = results::Verdict::pass}};
  results::settle(verdicts);
  results::write_verdicts((folder_ / "c1/verdicts.json").string(), verdicts);
  const std::string said = top("c1").text;
  EXPECT_THAT(said, HasSubstr("c1: 3 points, ended"));
  EXPECT_THAT(said, HasSubstr("verdict so far: FAIL (FAIL 1, PASS 1)\n  FAIL node-a gpu.ecc: 3 errors\n"));
}

TEST_F(Top, PassesOverTheFolderOfARunThatNeverBegan) {
  write_run(folder_ / "assay-results/r1/journal.jsonl");
  ASSERT_EQ(tests::assay_in(folder_.path(), "run --plan quick --filter 'none*'").exit_code, 2);
  const std::filesystem::directory_iterator runs(folder_ / "assay-results");
  EXPECT_EQ(std::distance(begin(runs), end(runs)), 1) << "a refused run leaves no folder";
  std::filesystem::create_directories(folder_ / "assay-results/killed");
  std::ofstream(folder_ / "assay-results/killed/plan.toml") << "";
  EXPECT_THAT(top("").text, HasSubstr("assay-results/r1: 3 points"));
  std::filesystem::create_directories(folder_ / "assay-results/r2");
  std::ofstream(folder_ / "assay-results/r2/plan.toml") << "";
  std::ofstream(folder_ / "assay-results/r2/in-use") << "1 here\n";
  EXPECT_THAT(top("").text, HasSubstr("r2: 0 points, nothing measured yet")) << "has just begun";
}

TEST_F(Top, WhatAFileHoldsDoesNotWriteOverTheScreen) {
  write_run(folder_ / "c1/nodes/a/journal.jsonl");
  std::ofstream(folder_ / "c1/campaign.toml") << "";
  results::Verdicts verdicts{.command = "campaign"};
  verdicts.rows = {{.unit = "a\033[2J", .verdict = results::Verdict::fail, .because = "x\xc2\x9b\ny"}};
  results::settle(verdicts);
  results::write_verdicts((folder_ / "c1/verdicts.json").string(), verdicts);
  const std::string said = top("c1").text;
  EXPECT_THAT(said, HasSubstr("  FAIL a\\x1b[2J : x\\xc2\\x9b\\ny\n"));
  EXPECT_THAT(said, Not(HasSubstr("\033")));
}

TEST_F(Top, AnEmptyFileOfVerdictsHoldsNoneYet) {
  write_run(folder_ / "c1/nodes/a/journal.jsonl");
  std::ofstream(folder_ / "c1/campaign.toml") << "";
  std::ofstream(folder_ / "c1/verdicts.json") << "";
  const tests::Said said = top("c1");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, HasSubstr("c1: 3 points"));
  EXPECT_THAT(said.text, HasSubstr("verdict so far: none (verdicts.json is empty)\n"));
}

TEST_F(Top, ClearsTheScreenOnlyOfATerminalThatCan) {
  write_run(folder_ / "r1/journal.jsonl");
  for (const std::string kind : {"xterm", "dumb"}) {
    const suite::Output said = suite::run_and_read({"/bin/sh", "-c",
                                                    "cd " + folder_.path().string() + " && TERM=" + kind +
                                                        " script -qec 'timeout -s INT 1 " + ASSAY_BIN_DIR +
                                                        "/assay top --interval 0.2 r1' /dev/null"});
    EXPECT_THAT(said.text, HasSubstr("r1: 3 points"));
    EXPECT_EQ(said.text.find("\033[2J") != std::string::npos, kind == "xterm") << kind;
  }
}

TEST_F(Top, ADamagedFileOfVerdictsDoesNotEndIt) {
  write_run(folder_ / "c1/nodes/a/journal.jsonl");
  std::ofstream(folder_ / "c1/campaign.toml") << "";
  results::Verdicts verdicts{.command = "campaign", .subject = "one node"};
  verdicts.rows = {{.unit = "node-a", .metric = "gpu.ecc", .verdict = results::Verdict::pass}};
  results::settle(verdicts);
  const std::string whole = results::to_json(verdicts);
  for (const std::string& damaged :
       {whole.substr(0, whole.size() / 2), std::string("{}"), std::string("\xff\n")}) {
    std::ofstream(folder_ / "c1/verdicts.json") << damaged;
    const tests::Said said = top("c1");
    EXPECT_EQ(said.exit_code, 0) << damaged;
    EXPECT_THAT(said.text, HasSubstr("c1: 3 points, running"));
    EXPECT_THAT(said.text,
                HasSubstr("verdict so far: cannot be read: c1/verdicts.json: not verdicts of assay: "));
    EXPECT_THAT(said.text, HasSubstr("latest bad points:\n"));
  }
  std::filesystem::remove(folder_ / "c1/verdicts.json");
  std::filesystem::create_directories(folder_ / "c1/verdicts.json");
  EXPECT_THAT(top("c1").text, HasSubstr("verdict so far: cannot be read: c1/verdicts.json"));
}

TEST_F(Top, ShowsTheUnitsOfAStore) {
  results::test::put_small_fleet(folder_ / "store.sqlite");
  const tests::Said said = top("store.sqlite");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, HasSubstr("store.sqlite: 10 units, 120 points (simulated)\n"));
  EXPECT_THAT(said.text, testing::ContainsRegex("unit +kind +points +bad +last run +last measured\n[ -]+\n"
                                                "h9 +host +12 +0 +round3-h9 +2026-01-02T03:09:10.000Z\n"
                                                "h8 +host +12 +0 +round3-h8 +2026-01-02T03:08:10.000Z\n"));
  EXPECT_EQ(tests::assay_in(folder_.path().string(), "top store.sqlite").text, said.text) << "no terminal";
}

TEST_F(Top, DrawsAStoreAgainWhichAnotherProcessWrites) {
  results::test::put_small_fleet(folder_ / "store.sqlite");
  write_run(folder_ / "r1/journal.jsonl");
  const suite::Output said =
      suite::run_and_read({"/bin/sh", "-c",
                           "cd " + folder_.path().string() + " && (sleep 2; " + ASSAY_BIN_DIR +
                               "/assay import --store store.sqlite r1/journal.jsonl >&2) & cd " +
                               folder_.path().string() + " && TERM=xterm script -qec 'timeout -s INT 6 " +
                               ASSAY_BIN_DIR + "/assay top --interval 0.2 store.sqlite' /dev/null; wait"});
  EXPECT_THAT(said.text, HasSubstr("store.sqlite: 10 units, 120 points"));
  EXPECT_THAT(said.text, HasSubstr("store.sqlite: 11 units, 123 points"));
}

TEST_F(Top, AStoreThatAnotherProcessHoldsDoesNotEndIt) {
  results::test::put_small_fleet(folder_ / "store.sqlite");
  results::Database writer(folder_ / "store.sqlite", false);
  writer.execute("BEGIN EXCLUSIVE");
  const tests::Said said = top("store.sqlite");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text,
              HasSubstr("store.sqlite: 0 units, 0 points; another process writes it: as last read"));
}

TEST_F(Top, RefusesAFileThatIsNoStore) {
  std::ofstream(folder_ / "text.sqlite") << "text";
  const tests::Said said = top("text.sqlite");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr("text.sqlite"));
  EXPECT_EQ(std::count(said.text.begin(), said.text.end(), '\n'), 1) << said.text;
}

TEST_F(Top, RefusesWhatHoldsNoRun) {
  EXPECT_EQ(top("nowhere").exit_code, 2);
  EXPECT_THAT(top("nowhere").text,
              HasSubstr("nowhere: expected a folder of runs or campaigns, one of them, or a store"));
  std::filesystem::create_directories(folder_ / "empty");
  EXPECT_THAT(top("empty").text, HasSubstr("empty: holds no run and no campaign"));
  EXPECT_EQ(top("--interval 0").exit_code, 2);
}

}  // namespace
}  // namespace assay::cli
