// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Journals and stores that are not what they seem: each is told in one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "results/record/clock_watch.hpp"
#include "results/store/doubts/host_doubts.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/store.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using test::sample_context;
using test::sample_end;
using test::sample_point;
using test::write_text;
using testing::HasSubstr;

class DoubtfulStore : public testing::Test {
 protected:
  static void write_journal(const std::filesystem::path& path, const std::vector<Record>& records) {
    std::string text;
    for (const Record& record : records) text += to_line(record) + "\n";
    write_text(path, text);
  }
  std::string error_of_importing(const std::string& name) {
    try {
      store_.import_journal(folder_ / name);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  }
  std::int64_t points() const { return store_.database().single_integer("SELECT count(*) FROM points"); }

  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
};

ContextRecord context_of(const std::string& run, const std::string& host, const std::string& started) {
  ContextRecord context = sample_context(run);
  context.host = host;
  context.started = started;
  return context;
}

EndRecord end_of(const std::string& run, const std::string& ended) {
  EndRecord end = sample_end(run);
  end.ended = ended;
  return end;
}

TEST_F(DoubtfulStore, TwoNodesUnderOneRunIdAreRefusedAndTheStoreStaysAsItWas) {
  write_journal(folder_ / "a.jsonl", {context_of("run-1", "node-a", "2026-01-02T03:04:05Z"), sample_point()});
  write_journal(folder_ / "b.jsonl",
                {context_of("run-1", "node-b", "2026-01-02T03:04:05Z"), sample_point("run-1", 7)});
  store_.import_journal(folder_ / "a.jsonl");
  EXPECT_EQ(
      error_of_importing("b.jsonl"),
      "store " + (folder_ / "store.db").string() + ": importing: " + (folder_ / "b.jsonl").string() +
          ":1: process 0 of run run-1 is there of host node-a, started 2026-01-02T03:04:05Z, and this one is "
          "of host node-b, started 2026-01-02T03:04:05Z: two nodes under one run id; import one of them into "
          "another store");
  EXPECT_EQ(points(), 1);
}

TEST_F(DoubtfulStore, ThePointOfARunWithOtherContentIsRefused) {
  PointRecord altered = sample_point();
  altered.metrics[0].value = 99;
  write_journal(folder_ / "a.jsonl", {sample_context(), sample_point()});
  write_journal(folder_ / "b.jsonl", {sample_context(), altered});
  store_.import_journal(folder_ / "a.jsonl");
  EXPECT_THAT(error_of_importing("b.jsonl"),
              HasSubstr("b.jsonl:2: point 0 of process 0 of run run-1 is there with other content"));
  EXPECT_EQ(points(), 1);
}

TEST_F(DoubtfulStore, AJournalThatHoldsAPointTwiceWithOtherContentIsRefused) {
  PointRecord altered = sample_point();
  altered.metrics[0].value = 99;
  write_journal(folder_ / "a.jsonl", {sample_context(), sample_point(), sample_point("run-1", 1), altered});
  EXPECT_THAT(error_of_importing("a.jsonl"), HasSubstr("a.jsonl:4: point 0 of process 0 of run run-1"));
  EXPECT_EQ(points(), 0);
}

TEST_F(DoubtfulStore, OneJournalOfManyThatIsRefusedLeavesNothingOfTheOthers) {
  write_journal(folder_ / "a.jsonl", {sample_context("run-1"), sample_point("run-1")});
  write_journal(folder_ / "b.jsonl", {context_of("run-1", "node-b", "2026-01-02T03:04:05Z")});
  const std::vector<std::filesystem::path> both{folder_ / "a.jsonl", folder_ / "b.jsonl"};
  EXPECT_THROW(store_.import_journals(both), std::runtime_error);
  EXPECT_EQ(points(), 0);
  EXPECT_EQ(store_.database().single_integer("SELECT count(*) FROM runs"), 0);
}

TEST_F(DoubtfulStore, TheSameJournalUnderTwoNamesIsThereOnce) {
  for (const char* name : {"a.jsonl", "b.jsonl"})
    write_journal(folder_ / name, {sample_context(), sample_point(), sample_end()});
  const std::vector<std::filesystem::path> both{folder_ / "a.jsonl", folder_ / "b.jsonl"};
  const auto summaries = store_.import_journals(both);
  EXPECT_EQ(summaries[0].added, 3);
  EXPECT_EQ(summaries[1].added, 0);
  EXPECT_EQ(summaries[1].already_there, 3);
  EXPECT_EQ(store_.database().single_integer("SELECT ok FROM runs"), 1);
}

TEST_F(DoubtfulStore, AClockThatWentBackIsToldOnceAndTheRecordsAreKept) {
  PointRecord second = sample_point("run-1", 1), third = sample_point("run-1", 2);
  second.started = "2026-01-02T02:04:06Z";
  third.started = "2026-01-02T02:00:00Z";
  write_journal(folder_ / "a.jsonl", {sample_context(), sample_point(), second, third});
  const ImportSummary summary = store_.import_journal(folder_ / "a.jsonl");
  EXPECT_EQ(summary.added, 4);
  ASSERT_EQ(summary.doubts.size(), 1u);
  EXPECT_EQ(summary.doubts[0].line, 3);
  EXPECT_EQ(summary.doubts[0].what,
            "the clock went back: a point started at 2026-01-02T02:04:06Z, and what was written before it at "
            "2026-01-02T03:04:06Z ended 3600.5 s later: times of this process do not hold");
}

TEST_F(DoubtfulStore, AClockIsHeldAgainstTheTimeThatAPointTook) {
  PointRecord first = sample_point("run-1", 0), second = sample_point("run-1", 1);
  first.elapsed_s = 100;
  second.started = "2026-01-02T03:05:00Z";  // 54 s after the first began
  write_journal(folder_ / "a.jsonl", {sample_context(), first, second});
  EXPECT_THAT(store_.import_journal(folder_ / "a.jsonl").doubts.at(0).what, HasSubstr("ended 46.0 s later"));
}

TEST_F(DoubtfulStore, ATimeThatCannotBeReadIsNoClock) {
  EXPECT_EQ(seconds_of("2026-01-02T03:04:05.250Z").value() - seconds_of("2026-01-02T03:04:05Z").value(),
            0.25);
  EXPECT_EQ(seconds_of("1970-01-02T00:00:00Z"), 86400.0);
  for (const char* text : {"", "now", "2026-01-02 03:04:05Z", "2026-01-02T03:04:05", "2026-01-02T03:04:Z"})
    EXPECT_FALSE(seconds_of(text)) << text;
}

TEST_F(DoubtfulStore, AHostThatIsThereTwiceAtOneTimeIsTold) {
  ContextRecord a = context_of("run-a", "n1", "2026-01-02T03:00:00Z");
  ContextRecord b = context_of("run-b", "n1", "2026-01-02T03:05:00Z");
  a.machine["gpus"] = {{{"index", 0}, {"uuid", "GPU-1"}}};
  b.machine["gpus"] = {{{"index", 0}, {"uuid", "GPU-2"}}};
  for (const Record& record : std::vector<Record>{a, end_of("run-a", "2026-01-02T03:10:00Z"), b,
                                                  end_of("run-b", "2026-01-02T03:15:00Z")})
    store_.add(record);
  EXPECT_THAT(overlaps_of(store_),
              testing::ElementsAre(
                  "host n1: run run-a (2026-01-02T03:00:00Z to 2026-01-02T03:10:00Z) and run run-b "
                  "(from 2026-01-02T03:05:00Z) are of the same time: two machines of one name: GPU 0 "
                  "is GPU-1 in one and GPU-2 in the other"));
}

TEST_F(DoubtfulStore, RunsOfOneMachineAtOneTimeDisturbEachOther) {
  ContextRecord a = context_of("run-a", "n1", "2026-01-02T03:00:00Z");
  ContextRecord b = context_of("run-b", "n1", "2026-01-02T03:05:00Z");
  a.machine["hcas"] = b.machine["hcas"] = {{{"device", "mlx5_0"}, {"node_guid", "0c42"}}};
  store_.add(std::vector<Record>{a, end_of("run-a", "2026-01-02T03:10:00Z"), b});
  EXPECT_THAT(overlaps_of(store_), testing::ElementsAre(HasSubstr("each disturbed the other")));
}

TEST_F(DoubtfulStore, SimulationsOfOneFabricAtOneTimeDoNotDisturbEachOther) {
  ContextRecord a = context_of("run-a", "zone", "2026-01-02T03:00:00Z");
  ContextRecord b = context_of("run-b", "zone", "2026-01-02T03:05:00Z");
  a.module = b.module = "fabric";
  store_.add(std::vector<Record>{a, end_of("run-a", "2026-01-02T03:10:00Z"), b});
  EXPECT_THAT(overlaps_of(store_), testing::IsEmpty());
}

TEST_F(DoubtfulStore, RunsOneAfterAnotherOfOtherHostsAndRanksOfOneRunAreNoOverlap) {
  for (const Record& record : std::vector<Record>{
           context_of("run-a", "n1", "2026-01-02T03:00:00Z"), end_of("run-a", "2026-01-02T03:10:00Z"),
           context_of("run-b", "n1", "2026-01-02T03:10:00Z"), end_of("run-b", "2026-01-02T03:20:00Z"),
           context_of("run-c", "n2", "2026-01-02T03:00:00Z"), end_of("run-c", "2026-01-02T03:20:00Z"),
           context_of("run-a.rank1", "n1", "2026-01-02T03:01:00Z"),
           end_of("run-a.rank1", "2026-01-02T03:09:00Z")})
    store_.add(record);
  EXPECT_THAT(overlaps_of(store_), testing::IsEmpty());
}

TEST_F(DoubtfulStore, ModulesOfOneRoundOfABurnInAreNoOverlapAndThoseOfTwoAre) {
  ContextRecord a = context_of("b-r0002-together-gemm", "n1", "2026-01-02T03:00:00Z");
  ContextRecord b = context_of("b-r0002-together-memory", "n1", "2026-01-02T03:01:00Z");
  ContextRecord c = context_of("c-r0001-turn", "n1", "2026-01-02T03:02:00Z");
  a.environment["ASSAY_BURN_IN"] = b.environment["ASSAY_BURN_IN"] = "b round 2 together";
  c.environment["ASSAY_BURN_IN"] = "c round 1 turn";
  store_.add(std::vector<Record>{a, end_of(a.run_id, "2026-01-02T03:10:00Z"), b});
  EXPECT_THAT(overlaps_of(store_), testing::IsEmpty());
  store_.add(Record{c});
  EXPECT_THAT(overlaps_of(store_), testing::ElementsAre(HasSubstr("run c-r0001-turn")));
}

TEST_F(DoubtfulStore, AStoreThatAnotherProcessWritesIsToldAfterAWhile) {
  const auto file = folder_ / "store.db";
  Database other(file, false);
  other.execute("BEGIN EXCLUSIVE");
  try {
    Store(file, StoreMode::existing, std::chrono::milliseconds(20)).add(sample_end());
    FAIL() << "expected an error";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(),
              "store " + file.string() +
                  ": another process is writing to it and has not ended in time: try again when it has");
  }
  other.execute("ROLLBACK");
  EXPECT_TRUE(store_.add(sample_end()));
}

TEST_F(DoubtfulStore, AnOlderSchemaOfTheStoreIsRefused) {
  Database(folder_ / "store.db", false).execute("PRAGMA user_version = 2");
  try {
    const Store store(folder_ / "store.db");
    FAIL() << "expected an error";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(
        error.what(),
        HasSubstr("schema 2 is older than this program reads (6): import its journals into a new store"));
  }
}

TEST_F(DoubtfulStore, AnImportThatIsKilledLeavesTheStoreAsItWas) {
  std::vector<Record> records{sample_context()};
  for (int i = 0; i < 10'000; ++i) records.emplace_back(sample_point("run-1", i));
  write_journal(folder_ / "a.jsonl", records);
  const auto file = folder_ / "killed.db";
  {
    const Store store(file);
  }
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      Store(file).import_journal(folder_ / "a.jsonl");
      ::_exit(0);
    } catch (...) {
      ::_exit(1);
    }
  }
  // Killed once it has begun to write: its rollback journal holds pages.
  const auto journal = std::filesystem::path(file.string() + "-journal");
  int status = 0;
  bool ended = false;
  std::error_code not_yet;
  for (std::uintmax_t size = 0; (size == 0 || not_yet) && !ended;
       size = std::filesystem::file_size(journal, not_yet))
    ended = ::waitpid(child, &status, WNOHANG) == child;
  if (!ended) {
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
  }
  if (!WIFSIGNALED(status)) GTEST_SKIP() << "the import was done before it could be killed";
  Store store(file);
  EXPECT_EQ(store.database().single_integer("SELECT count(*) FROM points"), 0);
  EXPECT_EQ(store.import_journal(folder_ / "a.jsonl").added, 10'001);
}

}  // namespace
}  // namespace assay::results
