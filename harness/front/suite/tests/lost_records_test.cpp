// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Hangs at the moments that leave no trace of themselves, two runs of one name, and ends that a kill
// prevented.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <thread>

#include "harness/core/tests/message_of.hpp"
#include "harness/front/suite/tests/plan_run_fixture.hpp"
#include "results/tests/read_journal.hpp"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Records : public tests::PlanRunTest {
 protected:
  /// With this program as mpirun, which is to start one rank.
  RunOutcome run_behind(const std::string& engine_text, const std::string& plan_file,
                        const std::string& run_id = "run-1") {
    const fs::path engine = folder_ / "mpirun", modules = folder_ / "modules";
    std::ofstream(engine) << engine_text;
    fs::permissions(engine, fs::perms::owner_all);
    fs::create_directory(modules);
    if (!fs::exists(modules / "assay-collectives"))
      fs::create_symlink(module(), modules / "assay-collectives");
    const std::string path = std::getenv("PATH");
    setenv("PATH", (folder_.string() + ":" + path).c_str(), 1);
    RunOptions wanted = options(plan_file);
    wanted.run_id = run_id;
    wanted.programs_folder = modules;
    wanted.launcher = {.engine = "mpirun", .ranks = 1};
    const RunOutcome outcome = run(wanted);
    setenv("PATH", path.c_str(), 1);
    return outcome;
  }
  /// Process, number, key and status of each.
  static std::vector<std::string> records_in(const fs::path& journal) {
    std::vector<std::string> records;
    results::for_each_record(journal, [&](const results::Record& record) {
      if (const auto* point = std::get_if<results::PointRecord>(&record))
        records.push_back(fmt::format("{} {} {} {}", point->process, point->sequence, point->key,
                                      results::to_string(point->status)));
    });
    return records;
  }
};

TEST_F(Records, AHangBetweenTwoPointsLeavesARecordOfTheLatest) {
  const RunOutcome outcome = run(options(plan("['memory.fake.hangs_behind', 'memory.fake.steady']")));
  EXPECT_EQ(outcome.exit_code, 1);
  const auto points = points_of(outcome.journal);
  ASSERT_EQ(points.size(), 4U);
  for (const char* name : {"memory.fake.hangs_behind/n=1", "memory.fake.hangs_behind/n=2"}) {
    EXPECT_EQ(points.at(name).status, results::Status::timeout) << name;
    EXPECT_THAT(points.at(name).reason, HasSubstr("after this point was measured and before the next began"));
  }
  EXPECT_EQ(points.at("memory.fake.steady/n=2").status, results::Status::ok);
}

TEST_F(Records, AHangBeforeTheFirstPointLeavesARecordOfTheModule) {
  const fs::path modules = folder_ / "modules", stops = modules / "assay-memory";
  fs::create_directory(modules);
  std::ofstream(stops) << "#!/bin/sh\nfor word; do test \"$word\" = --count && exec " << module()
                       << " \"$@\"; done\nexec sleep 600\n";
  fs::permissions(stops, fs::perms::owner_all);
  RunOptions wanted = options(plan("['memory.fake.steady']"));
  wanted.programs_folder = modules;
  const RunOutcome outcome = run(wanted);
  EXPECT_EQ(outcome.exit_code, 1);
  const auto points = points_of(outcome.journal);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points.at("memory.start/").status, results::Status::timeout);
  EXPECT_THAT(points.at("memory.start/").reason, HasSubstr("before its first point"));
}

/// An engine that wakes what it ends, as Slurm does: the module comes to the end of its point before the
/// signal.
constexpr const char* waking_engine =
    "#!/bin/sh\n"
    "shift 2\n"
    "\"$@\" & module=$!\n"
    "begun=$(dirname $0)/runs/run-1/points_begun_collectives.txt\n"
    "ends() {\n"
    "  kill -CONT $module\n"
    "  for look in $(seq 500); do grep -qs n=2 $begun && break; sleep 0.01; done\n"
    "  kill -TERM $module\n"
    "}\n"
    "trap ends TERM\n"
    "while kill -0 $module 2>/dev/null; do wait $module; done\n";

/// The script of an engine that is stopped once, while its rank is in the first point.
const std::string stopped_engine =
    "#!/bin/bash\n"
    "shift 2\n"
    "folder=$(dirname \"$0\")\n"
    "[[ \" $* \" == *' --count '* || -e $folder/killed ]] && exec \"$@\"\n"
    "touch $folder/killed\n"
    "setsid \"$@\" >/dev/null 2>&1 &\n"
    "until grep -qs slow $folder/runs/run-1/points_begun_collectives.txt; do sleep 0.01; done\n";

TEST_F(Records, AStoppedModuleThatTheEngineWakesToEndItLeavesARecordOfItsHang) {
  const RunOutcome outcome = run_behind(waking_engine, plan("['collectives.fake.stops']"));
  EXPECT_EQ(outcome.exit_code, 1);
  const auto points = points_of(outcome.journal);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points.at("collectives.fake.stops/n=1").status, results::Status::timeout);
  EXPECT_THAT(points.at("collectives.fake.stops/n=1").reason, HasSubstr("no answer for"));
  EXPECT_EQ(points.at("collectives.fake.stops/n=2").status, results::Status::ok);
}

TEST_F(Records, ARankThatOutlivesItsEngineWritesNoMoreOnceTheRunHasGoneOn) {
  const RunOutcome outcome =
      run_behind(stopped_engine + "kill -KILL $$\n", plan("['collectives.fake.slow']"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(records_in(outcome.journal), testing::ElementsAre("0 0 n=1 failed", "1 1 n=2 ok"));
}

TEST_F(Records, AnEngineThatIsEndedAndEndsWithAnExitCodeOfModulesLeavesARecordOfThePoint) {
  const RunOutcome outcome =
      run_behind(stopped_engine + "kill -KILL %1\nexit 1\n", plan("['collectives.fake.slow']"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(records_in(outcome.journal), testing::ElementsAre("0 0 n=1 failed", "1 1 n=2 ok"));
  EXPECT_EQ(points_of(outcome.journal).at("collectives.fake.slow/n=1").reason,
            "mpirun ended with exit code 1");
}

TEST_F(Records, AnEngineThatEndsBadlyAfterItsRankEndedWellFailsNoPoint) {
  const std::string engine =
      "#!/bin/bash\nshift 2\n[[ \" $* \" == *' --count '* ]] && exec \"$@\"\n\"$@\"\nexit 1\n";
  EXPECT_EQ(run_behind(engine, plan("['collectives.fake.slow']")).exit_code, 0);
  EXPECT_EQ(run_behind(engine, plan("['collectives.fake.fails']"), "run-2").exit_code, 1);
}

TEST_F(Records, ASecondRunOfTheSameNameIsRefusedWhileTheFirstMeasures) {
  const RunOptions wanted = options(plan("'memory.fake.lasts'", "axes = { n = 1 }\n"));
  std::thread first([&] { EXPECT_EQ(run(wanted).exit_code, 0); });
  // The holder writes its number once it has the lock.
  const fs::path holder = folder_ / "runs" / "run-1" / "in-use";
  while (std::ifstream(holder).peek() == std::ifstream::traits_type::eof()) std::this_thread::yield();
  std::ostringstream out;
  const std::string said = core::tests::message_of([&] { run_plan(wanted, signals_, out); });
  first.join();
  EXPECT_THAT(said, HasSubstr("this run is in use by process"));
  EXPECT_EQ(contexts_of(folder_ / "runs" / "run-1" / "journal.jsonl").size(), 1U);
}

TEST_F(Records, AResumeThatFindsNothingLeftWritesTheEndThatAKillPrevented) {
  RunOptions wanted = options(plan("'memory.fake.steady'"));
  const RunOutcome whole = run(wanted);
  std::string lines;
  for (const results::Record& record : results::read_journal(whole.journal).records)
    if (!std::holds_alternative<results::EndRecord>(record)) lines += to_line(record) + "\n";
  std::ofstream(whole.journal) << lines;
  wanted.resume = true;
  EXPECT_EQ(run(wanted).exit_code, 0);
  const auto records = results::read_journal(whole.journal).records;
  ASSERT_EQ(records.size(), 4U);
  const auto& end = std::get<results::EndRecord>(records.back());
  EXPECT_EQ(end.points, 2);
  EXPECT_FALSE(end.interrupted);
}

}  // namespace
}  // namespace assay::suite
