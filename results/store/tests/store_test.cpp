// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/points/run_points.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/stored_points.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using test::sample_context;
using test::sample_end;
using test::sample_point;
using test::TemporaryFolder;
using test::unsupported_point;
using test::write_text;

std::string error_of_opening(const std::filesystem::path& path, StoreMode mode = StoreMode::create) {
  try {
    const Store store(path, mode);
  } catch (const NoStore& error) {
    return error.what();
  }
  return "no error";
}

void write_journal(const std::filesystem::path& path, const std::string& run_id, std::int64_t points) {
  std::string text = to_line(sample_context(run_id)) + "\n";
  for (std::int64_t i = 0; i < points; ++i) text += to_line(sample_point(run_id, i)) + "\n";
  write_text(path,
             text + to_line(unsupported_point(run_id, points)) + "\n" + to_line(sample_end(run_id)) + "\n");
}

TEST(Store, AJournalIsImportedOnce) {
  const TemporaryFolder folder;
  write_journal(folder / "run.jsonl", "run-1", 3);
  Store store(folder / "store.db");
  const ImportSummary first = store.import_journal(folder / "run.jsonl");
  EXPECT_EQ(first.added, 6);
  EXPECT_EQ(first.already_there, 0);
  const ImportSummary second = store.import_journal(folder / "run.jsonl");
  EXPECT_EQ(second.added, 0);
  EXPECT_EQ(second.already_there, 6);
  const Database& database = store.database();
  EXPECT_EQ(database.single_integer("SELECT count(*) FROM points"), 4);
  EXPECT_EQ(database.single_integer("SELECT ok * 100 + unsupported FROM runs"), 301);
  EXPECT_EQ(database.single_integer("SELECT sum(ok) FROM run_cases"), 3);
}

TEST(Store, ValuesAndSamplesArriveBitForBit) {
  const TemporaryFolder folder;
  Store store(folder / "store.db");
  EXPECT_TRUE(store.add(sample_point()));
  EXPECT_FALSE(store.add(sample_point()));
  auto query = store.database().prepare("SELECT samples_s, value, upper, metric FROM points");
  ASSERT_TRUE(query.step());
  EXPECT_EQ(query.numbers(0), sample_point().samples_s);
  EXPECT_EQ(query.number(1), 21.47483648);
  EXPECT_EQ(query.number(2), 23.9);
  EXPECT_EQ(query.text(3), "bandwidth_gb_per_s");
}

TEST(Store, MetricsAfterTheHeadlineStandInTheirOrder) {
  const TemporaryFolder folder;
  Store store(folder / "store.db");
  PointRecord point = sample_point();
  point.metrics.push_back({"efficiency", "%", 71.5, 70, {}});
  point.metrics.push_back({"passes", "", 3, {}, {}});
  store.add(point);
  auto query = store.database().prepare("SELECT ordinal, name, unit, value, lower, upper FROM more_metrics");
  ASSERT_TRUE(query.step());
  EXPECT_EQ(query.integer(0), 1);
  EXPECT_EQ(query.text(1), "efficiency");
  EXPECT_EQ(query.text(2), "%");
  EXPECT_EQ(query.number(3), 71.5);
  EXPECT_EQ(query.number(4), 70);
  EXPECT_TRUE(query.is_null(5));
  ASSERT_TRUE(query.step());
  EXPECT_EQ(query.integer(0), 2);
  EXPECT_FALSE(query.step());
}

TEST(Store, AnEfficiencyIsFoundAsTheHeadlineAndAmongTheOtherMetrics) {
  const TemporaryFolder folder;
  Store store(folder / "store.db");
  const Metric efficiency{"efficiency", "%", 71.5, {}, {}};
  PointRecord first = sample_point(), second = sample_point("run-1", 1);
  first.metrics = {efficiency};
  second.metrics.push_back(efficiency);
  store.add(first);
  store.add(second);
  const auto points = points_in_order(store, find_run(store, ""), "", 10);
  ASSERT_EQ(points.size(), 2u);
  for (const StoredPoint& point : points) {
    ASSERT_TRUE(point.efficiency);
    EXPECT_EQ(point.efficiency->value, 0.715);
  }
}

TEST(Store, TheEndsOfOneProcessAreAllKept) {
  const TemporaryFolder folder;
  Store store(folder / "store.db");
  EndRecord other = sample_end();
  other.module = "gemm";
  EXPECT_TRUE(store.add(sample_end()));
  EXPECT_TRUE(store.add(other));
  EXPECT_FALSE(store.add(other));
  EXPECT_EQ(store.database().single_integer("SELECT count(*) FROM ends"), 2);
}

/// A journal whose points are of these cases, one after another; numbered on from `first`.
void write_cases(const std::filesystem::path& path, std::initializer_list<const char*> cases, int first = 0) {
  JournalWriter writer(path);
  if (first == 0) writer.write(sample_context());
  for (const char* name : cases) {
    PointRecord point = sample_point("run-1", first++);
    point.case_name = name;
    writer.write(point);
  }
}

std::vector<std::int64_t> numbers_of(const Store& store, const std::string& cases, std::int64_t limit = 100) {
  std::vector<std::int64_t> numbers;
  for (const StoredPoint& point : RunPoints(store, "", limit).rows(cases)) numbers.push_back(point.sequence);
  return numbers;
}

TEST(Store, PointsOfCasesAreFoundCaseByCaseWhereverTheyStand) {
  const TemporaryFolder folder;
  write_cases(folder / "run.jsonl", {"gemm.b", "gemm.b", "memory.a", "gemm.b", "memory.a", "gemm.c"});
  Store store(folder / "store.db");
  store.import_journal(folder / "run.jsonl");
  write_cases(folder / "run.jsonl", {"gemm.c", "gemm.b"}, 6);
  store.import_journal(folder / "run.jsonl");
  EXPECT_EQ(numbers_of(store, "*"), (std::vector<std::int64_t>{0, 1, 3, 7, 2, 4, 5, 6}));
  EXPECT_EQ(numbers_of(store, "gemm.*"), (std::vector<std::int64_t>{0, 1, 3, 7, 5, 6}));
  EXPECT_EQ(numbers_of(store, "gemm.*", 3), (std::vector<std::int64_t>{0, 1, 3}));
  EXPECT_EQ(numbers_of(store, "memory.a"), (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(numbers_of(store, "rdma.*"), std::vector<std::int64_t>{});
  EXPECT_EQ(store.database().single_integer("SELECT count(*) FROM case_ranges"), 7);
}

TEST(Store, PointsOfCasesAreThoseOfTheRunAskedFor) {
  const TemporaryFolder folder;
  Store store(folder / "store.db");
  for (int i = 0; i < 4; ++i) store.add(sample_point(i % 2 == 0 ? "run-1" : "run-2", i));
  std::vector<std::int64_t> found;
  for (const StoredPoint& point : RunPoints(store, "run-2", 100).rows("*")) found.push_back(point.sequence);
  EXPECT_EQ(found, (std::vector<std::int64_t>{1, 3}));
}

TEST(Store, ExtremesOfACaseComeFromOkPointsOnly) {
  const TemporaryFolder folder;
  Store store(folder / "store.db");
  auto point = sample_point();
  for (const double value : {3.0, 1.0, 2.0}) {
    ++point.sequence;
    point.metrics[0].value = value;
    store.add(point);
  }
  ++point.sequence;
  point.status = Status::wrong;
  point.reason = "byte 3 differs";
  point.metrics[0].value = 99;
  store.add(point);
  auto query =
      store.database().prepare("SELECT lowest, lowest_point, highest, highest_point, wrong FROM run_cases");
  ASSERT_TRUE(query.step());
  EXPECT_EQ(query.number(0), 1.0);
  EXPECT_EQ(query.integer(1), 2);
  EXPECT_EQ(query.number(2), 3.0);
  EXPECT_EQ(query.integer(3), 1);
  EXPECT_EQ(query.integer(4), 1);
}

TEST(Store, DamagedLinesAreReportedAndTheRestImported) {
  const TemporaryFolder folder;
  write_text(folder / "run.jsonl",
             to_line(sample_context()) + "\ngarbage\n" + to_line(sample_point()) + "\n");
  const ImportSummary summary = Store(folder / "store.db").import_journal(folder / "run.jsonl");
  EXPECT_EQ(summary.added, 2);
  ASSERT_EQ(summary.problems.size(), 1u);
  EXPECT_EQ(summary.problems[0].line, 2);
}

TEST(Store, AResumedJournalAddsOnlyWhatIsNew) {
  const TemporaryFolder folder;
  write_journal(folder / "run.jsonl", "run-1", 2);
  Store store(folder / "store.db");
  store.import_journal(folder / "run.jsonl");
  JournalWriter writer(folder / "run.jsonl");
  writer.write(sample_context("run-1", 1));
  writer.write(sample_point("run-1", 9));
  const ImportSummary again = store.import_journal(folder / "run.jsonl");
  EXPECT_EQ(again.added, 2);
  EXPECT_EQ(again.already_there, 5);
  EXPECT_EQ(store.database().single_integer("SELECT count(*) FROM runs"), 1);
}

TEST(Store, APointThatAJournalHoldsTwiceIsThereOnce) {
  const TemporaryFolder folder;
  JournalWriter writer(folder / "run.jsonl");
  writer.write(sample_context("run-1", 0));
  for (const int sequence : {0, 1, 0, 2, 2}) writer.write(sample_point("run-1", sequence));
  Store store(folder / "store.db");
  const ImportSummary imported = store.import_journal(folder / "run.jsonl");
  EXPECT_EQ(imported.added, 4);
  EXPECT_EQ(imported.already_there, 2);
  EXPECT_EQ(store.database().single_integer("SELECT group_concat(sequence, '') FROM points"), 12) << "012";
}

TEST(Store, AMissingJournalLeavesTheStoreAsItWas) {
  const TemporaryFolder folder;
  Store store(folder / "store.db");
  EXPECT_THROW(store.import_journal(folder / "none.jsonl"), std::system_error);
  EXPECT_TRUE(store.add(sample_end())) << "the transaction was ended";
}

TEST(Store, AFileThatIsNoStoreIsRefusedInOneLine) {
  const TemporaryFolder folder;
  const std::string expected = " (expected a file that assay run or assay import wrote)";
  write_text(folder / "text.db", std::string(5000, 'x'));
  EXPECT_EQ(error_of_opening(folder / "text.db"),
            "store " + (folder / "text.db").string() +
                ": not a store, or not readable: file is not a database" + expected);
  Database(folder / "other.db", true).execute("CREATE TABLE birds (name TEXT)");
  EXPECT_EQ(
      error_of_opening(folder / "other.db"),
      "store " + (folder / "other.db").string() + ": an SQLite file, but not a store of assay" + expected);
  EXPECT_EQ(error_of_opening(folder / "none.db", StoreMode::existing),
            "store " + (folder / "none.db").string() + ": no such file" + expected);
  EXPECT_EQ(error_of_opening(folder / "."), "store " + (folder / ".").string() + ": is a folder" + expected);
  write_text(folder / "empty.db", "");
  EXPECT_EQ(error_of_opening(folder / "empty.db", StoreMode::existing),
            "store " + (folder / "empty.db").string() + ": is empty" + expected);
  EXPECT_THAT(error_of_opening("/nowhere/store.db"), testing::HasSubstr("unable to open database file"));
}

TEST(Store, ADamagedFileIsNamed) {
  const TemporaryFolder folder;
  write_journal(folder / "run.jsonl", "run-1", 50);
  Store(folder / "store.db").import_journal(folder / "run.jsonl");
  std::filesystem::resize_file(folder / "store.db", std::filesystem::file_size(folder / "store.db") / 4);
  EXPECT_THAT(
      [&] { Store(folder / "store.db").database().single_integer("SELECT count(*) FROM points"); },
      testing::ThrowsMessage<std::runtime_error>(testing::HasSubstr((folder / "store.db").string() + ": ")));
}

TEST(Store, ANewerSchemaIsRefusedInOneLine) {
  const TemporaryFolder folder;
  {
    const Store store(folder / "store.db");
  }
  Database(folder / "store.db", false).execute("PRAGMA user_version = 7");
  EXPECT_EQ(error_of_opening(folder / "store.db"),
            "store " + (folder / "store.db").string() + ": schema 7 is newer than this program reads (6)");
}

TEST(Store, AnEmptyFileBecomesAStore) {
  const TemporaryFolder folder;
  write_text(folder / "store.db", "");
  EXPECT_EQ(error_of_opening(folder / "store.db"), "no error");
}

TEST(Store, SeveralProcessesImportAtOnce) {
  const TemporaryFolder folder;
  constexpr int processes = 4;
  std::vector<pid_t> children;
  for (int i = 0; i < processes; ++i) {
    const std::string run = "run-" + std::to_string(i);
    write_journal(folder / (run + ".jsonl"), run, 50);
    children.push_back(::fork());
    if (children.back() != 0) continue;
    try {
      Store(folder / "store.db").import_journal(folder / (run + ".jsonl"));
      ::_exit(0);
    } catch (...) {
      ::_exit(1);
    }
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const Store store(folder / "store.db");
  EXPECT_EQ(store.database().single_integer("SELECT count(*) FROM points"), processes * 51);
  EXPECT_EQ(store.database().single_integer("SELECT count(*) FROM runs"), processes);
}

}  // namespace
}  // namespace assay::results
