// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The records that a run lacks, and how it is made whole: by its journal, imported whole.
#include "results/store/doubts/run_doubts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/points/run_points.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/store.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

constexpr const char* some_time = "2026-01-02T03:04:05Z";

ContextRecord context_of_process(const std::string& run, std::int64_t process = 0) {
  ContextRecord context = test::sample_context(run, process);
  context.started = some_time;
  return context;
}

PointRecord point_of(const std::string& run, std::int64_t process, std::int64_t sequence) {
  PointRecord point = test::sample_point(run, sequence);
  point.process = process;
  point.started = some_time;
  point.key = "n=" + std::to_string(sequence);
  return point;
}

EndRecord end_of_points(const std::string& run, std::int64_t process, std::int64_t points,
                        bool interrupted = false) {
  EndRecord end = test::sample_end(run, process);
  end.ended = some_time;
  end.points = points;
  end.interrupted = interrupted;
  return end;
}

ContextRecord resumed_context(const std::string& run, std::int64_t process) {
  ContextRecord context = context_of_process(run, process);
  context.resumed = true;
  return context;
}

class RunDoubts : public testing::Test {
 protected:
  std::filesystem::path journal(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    test::write_text(folder_ / "run.jsonl", text);
    return folder_ / "run.jsonl";
  }
  static std::vector<std::string> lines_of(const std::vector<Record>& records) {
    std::vector<std::string> lines;
    for (const Record& record : records) lines.push_back(to_line(record));
    return lines;
  }
  void import(const std::vector<Record>& records) { store_.import_journal(journal(lines_of(records))); }
  std::vector<std::string> said() const {
    std::vector<std::string> texts;
    for (const RunDoubt& doubt : doubts_of(store_)) texts.push_back(text_of(doubt));
    return texts;
  }
  std::string ending() const { return ending_of(store_, find_run(store_, "latest")); }

  const std::vector<Record> whole_{context_of_process("r"), point_of("r", 0, 0), point_of("r", 0, 1),
                                   point_of("r", 0, 2), end_of_points("r", 0, 3)};
  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
};

TEST_F(RunDoubts, AWholeRunHasNone) {
  import(whole_);
  EXPECT_THAT(said(), IsEmpty());
  EXPECT_EQ(ending(), "complete");
}

TEST_F(RunDoubts, ADamagedLineStandsUntilTheJournalComesWhole) {
  for (std::size_t damaged = 0; damaged < whole_.size(); ++damaged) {
    Store store(folder_ / ("store-" + std::to_string(damaged)));
    std::vector<std::string> lines = lines_of(whole_);
    lines[damaged][lines[damaged].size() / 2] ^= 1;
    store.import_journal(journal(lines));
    const std::vector<RunDoubt> doubts = doubts_of(store);
    ASSERT_FALSE(doubts.empty());
    EXPECT_THAT(text_of(doubts.front()), HasSubstr("run r, " + (folder_ / "run.jsonl").string() + ":" +
                                                   std::to_string(damaged + 1) + ": damaged line: "));
    store.import_journal(journal(lines_of(whole_)));
    EXPECT_THAT(doubts_of(store), IsEmpty()) << "line " << damaged + 1;
  }
}

TEST_F(RunDoubts, AnEmptyJournalStandsUntilItComesWhole) {
  Store store(folder_ / "store");
  EXPECT_EQ(store.import_journal(journal({})).problems.size(), 1U);
  ASSERT_EQ(doubts_of(store).size(), 1U);
  EXPECT_THAT(text_of(doubts_of(store).front()), HasSubstr("the journal holds no record"));
  store.import_journal(journal(lines_of(whole_)));
  EXPECT_THAT(doubts_of(store), IsEmpty());
}

TEST_F(RunDoubts, ADamagedJournalWithItsBadLineTakenOutIsNotWhole) {
  std::vector<std::string> lines = lines_of(whole_);
  lines[2] = "garbage";
  store_.import_journal(journal(lines));
  lines.erase(lines.begin() + 2);
  store_.import_journal(journal(lines));
  EXPECT_THAT(said(),
              ElementsAre("run r, process 0 (memory): its end counts 3 points, and 2 are there",
                          "run r, process 0 (memory): 1 points are missing by their sequence numbers, the "
                          "first between 0 and 2"));
}

TEST_F(RunDoubts, ALineThatWasTakenOutIsMissedWhicheverItIs) {
  for (std::size_t gone = 0; gone < whole_.size(); ++gone) {
    Store store("");
    std::vector<Record> records = whole_;
    records.erase(records.begin() + static_cast<std::ptrdiff_t>(gone));
    store.import_journal(journal(lines_of(records)));
    EXPECT_THAT(doubts_of(store), testing::Not(IsEmpty())) << "line " << gone + 1;
  }
}

TEST_F(RunDoubts, AJournalOfGarbageIsADoubtOfNoKnownRun) {
  store_.import_journal(journal({"garbage"}));
  EXPECT_THAT(said(), ElementsAre(HasSubstr("run.jsonl:1: damaged line: not JSON")));
  import(whole_);
  EXPECT_THAT(said(), IsEmpty());
}

TEST_F(RunDoubts, AnEndThatCountsOtherwiseIsOne) {
  std::vector<Record> records = whole_;
  records.back() = end_of_points("r", 0, 5);
  import(records);
  EXPECT_THAT(said(), ElementsAre("run r, process 0 (memory): its end counts 5 points, and 3 are there"));
}

TEST_F(RunDoubts, AnEndOfAnotherModuleIsOne) {
  std::vector<Record> records = whole_;
  std::get<EndRecord>(records.back()).module = "gemm";
  import(records);
  EXPECT_THAT(said(), ElementsAre("run r, process 0 (memory): its end is of another module, 'gemm'"));
}

TEST_F(RunDoubts, PointsWithoutTheirSamplesAreOneWhereOthersHoldTheirs) {
  std::vector<Record> records = whole_;
  std::get<PointRecord>(records[2]).samples_s.clear();
  import(records);
  EXPECT_THAT(said(),
              ElementsAre("run r, process 0 (memory): 1 of its points count samples and hold none, and "
                          "others of this store hold theirs"));
}

TEST_F(RunDoubts, JournalsOfSummariesAloneLackNoSamples) {
  std::vector<Record> records = whole_;
  for (Record& record : records)
    if (auto* point = std::get_if<PointRecord>(&record)) point->samples_s.clear();
  import(records);
  EXPECT_THAT(said(), IsEmpty());
}

TEST_F(RunDoubts, WhatASupervisorWroteBesideAProcessIsNoMiscount) {
  std::vector<Record> records = whole_;
  PointRecord beside = point_of("r", 0, 3);
  beside.status = Status::timeout, beside.reason = "no answer";
  beside.time.reset();
  beside.metrics.clear(), beside.samples_s.clear();
  records.emplace_back(beside);
  import(records);
  EXPECT_THAT(said(), IsEmpty());
}

TEST_F(RunDoubts, ARunThatWasKilledOrInterruptedIsOneUntilAResumeEndsIt) {
  const std::vector<Record> killed(whole_.begin(), whole_.end() - 1);
  import(killed);
  EXPECT_THAT(said(),
              ElementsAre("run r, process 0 (memory): it left no end record: killed, or still running"));
  EXPECT_EQ(ending(), "cut off");
  std::vector<Record> resumed = killed;
  resumed.insert(resumed.end(),
                 {resumed_context("r", 1), point_of("r", 1, 3), end_of_points("r", 1, 1, true)});
  import(resumed);
  EXPECT_THAT(said(), ElementsAre("run r, process 1 (memory): it was interrupted, and not resumed"));
  EXPECT_EQ(ending(), "interrupted");
  resumed.insert(resumed.end(), {resumed_context("r", 2), end_of_points("r", 2, 0)});
  import(resumed);
  EXPECT_THAT(said(), IsEmpty());
  EXPECT_EQ(ending(), "complete");
}

TEST_F(RunDoubts, PointsLostBetweenAKilledProcessAndTheNextAreMissed) {
  import({context_of_process("r"), point_of("r", 0, 0), resumed_context("r", 1), point_of("r", 1, 2),
          end_of_points("r", 1, 1)});
  EXPECT_THAT(said(),
              ElementsAre("run r, process 0 (memory): the points numbered 1 to 1 are missing behind it"));
}

TEST_F(RunDoubts, ABurnInEndsItsRoundsItself) {
  ContextRecord context = context_of_process("b-r0001-turn");
  context.environment["ASSAY_BURN_IN"] = "b round 1 turn";
  import({context, point_of("b-r0001-turn", 0, 0), end_of_points("b-r0001-turn", 0, 1, true)});
  EXPECT_THAT(said(), IsEmpty());
}

TEST_F(RunDoubts, JournalsThatRanksKeptNeedNoEndBesideAWholeRun) {
  import(whole_);
  import({context_of_process("r.rank1"), point_of("r.rank1", 0, 0)});
  EXPECT_THAT(said(), IsEmpty());
}

TEST_F(RunDoubts, ProcessesOfTwoHostsAreOneUnlessALauncherStartsThem) {
  for (const std::string module : {"collectives", "memory"}) {
    ContextRecord other = context_of_process("r", 1);
    EndRecord end = end_of_points("r", 1, 1);
    other.host = "other", other.module = end.module = module;
    Store store(folder_ / module);
    store.add(whole_), store.add(std::vector<Record>{other, point_of("r", 1, 3), end});
    EXPECT_EQ(doubts_of(store).size(), module == "memory" ? 1U : 0U);
  }
}

TEST_F(RunDoubts, OnlyThoseOfTheRunsAskedForAreTold) {
  import({context_of_process("a"), point_of("a", 0, 0)});
  import(whole_);
  const std::string run = "r";
  EXPECT_THAT(doubts_of(store_, {&run, 1}), IsEmpty());
  EXPECT_EQ(doubts_of(store_).size(), 1U);
}

TEST_F(RunDoubts, AClockThatWentBackStaysOne) {
  std::vector<Record> records = whole_;
  std::get<PointRecord>(records[1]).started = "2026-01-02T00:00:00Z";
  std::get<PointRecord>(records[2]).started = "2026-01-01T00:00:00Z";
  import(records);
  import(records);
  ASSERT_EQ(doubts_of(store_).size(), 1U);
  EXPECT_EQ(doubts_of(store_).front().kind, DoubtKind::clock);
}

/// Records of a run whose second point was cut short and measured again by a resume.
std::vector<Record> resumed_run() {
  PointRecord cut = point_of("r", 0, 1), again = point_of("r", 1, 2);
  cut.stop = "interrupted";
  cut.metrics[0].value = 1;
  again.key = cut.key;
  return {context_of_process("r"),        point_of("r", 0, 0),     cut,
          end_of_points("r", 0, 2, true), resumed_context("r", 1), again,
          end_of_points("r", 1, 1)};
}

TEST_F(RunDoubts, APointThatAResumeMeasuredAgainCountsOnce) {
  import(resumed_run());
  EXPECT_THAT(said(), IsEmpty());
  EXPECT_EQ(find_run(store_, "r").ok, 2);
  EXPECT_EQ(points_in_order(store_, find_run(store_, "r"), "", 10).size(), 2U);
  EXPECT_EQ(RunPoints(store_, "r", 10).rows("*").size(), 2U);
  EXPECT_GT(store_.database().prepare("SELECT lowest FROM run_cases").step(), 0);
  EXPECT_EQ(store_.database().single_integer("SELECT lowest < 2 FROM run_cases"), 0)
      << "the value that was cut short";
  EXPECT_EQ(store_.import_journal(folder_ / "run.jsonl").added, 0);
  EXPECT_EQ(find_run(store_, "r").ok, 2);
}

TEST_F(RunDoubts, APointThatDriftedAndWasMeasuredAgainCountsOnce) {
  auto records = resumed_run();
  PointRecord& drifted = std::get<PointRecord>(records[2]);
  drifted.stop = "interval";
  drifted.drifting = true;
  import(records);
  EXPECT_EQ(find_run(store_, "r").ok, 2);
  EXPECT_EQ(points_in_order(store_, find_run(store_, "r"), "", 10).size(), 2U);
}

TEST_F(RunDoubts, APointThatDriftedAndThenFailedIsBoth) {
  auto records = resumed_run();
  PointRecord& drifted = std::get<PointRecord>(records[2]);
  drifted.stop = "interval";
  drifted.drifting = true;
  PointRecord& failed = std::get<PointRecord>(records[5]);
  failed.status = Status::failed, failed.reason = "no memory";
  import(records);
  EXPECT_EQ(find_run(store_, "r").ok, 2);
  EXPECT_EQ(find_run(store_, "r").failed, 1);
}

TEST_F(RunDoubts, APointThatWasCutShortAndWrongStaysWrong) {
  auto records = resumed_run();
  std::get<PointRecord>(records[2]).status = Status::wrong;
  std::get<PointRecord>(records[2]).reason = "byte 3 differs";
  import(records);
  EXPECT_EQ(find_run(store_, "r").wrong, 1);
}

}  // namespace
}  // namespace assay::results
