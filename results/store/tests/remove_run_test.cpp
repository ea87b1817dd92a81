// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A run leaves a store whole and alone; a secret never enters one.
#include "results/store/remove_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "harness/core/files/whole_file.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/stored_points.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using test::sample_context;
using test::sample_end;
using test::sample_point;
using test::write_text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string journal_of(const ContextRecord& context) {
  return to_line(context) + "\n" + to_line(sample_point(context.run_id)) + "\n" +
         to_line(sample_end(context.run_id)) + "\n";
}

class RemovableRuns : public testing::Test {
 protected:
  ImportSummary import(const ContextRecord& context) {
    const auto path = folder_ / (context.run_id + ".jsonl");
    write_text(path, journal_of(context));
    return store_.import_journal(path);
  }
  std::int64_t rows(const std::string& table) const {
    return store_.database().single_integer("SELECT count(*) FROM " + table);
  }

  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
};

TEST_F(RemovableRuns, LeaveNoRowAndNoByteAndCanComeBack) {
  ContextRecord gone = sample_context("gone");
  gone.host = "host-that-is-to-be-forgotten";
  import(gone);
  EXPECT_EQ(remove_runs(store_, std::vector<std::string>{"gone"}), 3);
  for (const char* table :
       {"runs", "contexts", "points", "ends", "run_cases", "case_ranges", "more_metrics", "cases"})
    EXPECT_EQ(rows(table), 0) << table;
  EXPECT_THAT(core::read_whole_file((folder_ / "store.db").string()), Not(HasSubstr(gone.host)));
  EXPECT_EQ(import(gone).added, 3);
  store_.verify();
}

TEST_F(RemovableRuns, LeaveTheOthersAsTheyWere) {
  import(sample_context("a"));
  const std::int64_t points = rows("points"), metrics = rows("more_metrics");
  import(sample_context("b"));
  remove_runs(store_, std::vector<std::string>{"b"});
  EXPECT_EQ(rows("points"), points);
  EXPECT_EQ(rows("more_metrics"), metrics);
  EXPECT_EQ(find_run(store_, "a").run_id, "a");
}

TEST_F(RemovableRuns, AreRefusedTogetherWhereOneIsNotThere) {
  import(sample_context("a"));
  EXPECT_THROW(remove_runs(store_, std::vector<std::string>{"a", "b"}), NoRun);
  EXPECT_EQ(rows("runs"), 1);
}

TEST_F(RemovableRuns, AreNamedAndNeverTheLatestByDefault) {
  import(sample_context("a"));
  for (const char* run : {"", "latest"})
    EXPECT_THROW(remove_runs(store_, std::vector<std::string>{run}), NoRun) << run;
  EXPECT_EQ(rows("runs"), 1);
}

TEST_F(RemovableRuns, SecretsOfJournalsAreNamedAndLeftOut) {
  ContextRecord context = sample_context("k");
  context.host = "h";
  context.environment["ASSAY_TEAM_KEY"] = "CANARY-1";
  context.command_line = {"assay-memory", "DB_PASSWORD=CANARY-2"};
  const ImportSummary summary = import(context);
  std::vector<std::string> named;
  for (const JournalProblem& secret : summary.secrets) named.push_back(secret.what);
  EXPECT_THAT(named, ElementsAre("environment.ASSAY_TEAM_KEY", "command_line.DB_PASSWORD"));
  EXPECT_TRUE(summary.doubts.empty() && summary.problems.empty());
  EXPECT_THAT(core::read_whole_file((folder_ / "store.db").string()), Not(HasSubstr("CANARY")));
  EXPECT_THAT(secrets_of_runs(store_, {}), IsEmpty());
  EXPECT_EQ(import(context).already_there, 3);
}

TEST_F(RemovableRuns, SecretsOfAStoreOfAnOlderVersionAreNamed) {
  ContextRecord context = sample_context("k");
  context.host = "h";
  import(context);
  store_.writable_database().execute(
      "UPDATE contexts SET record = json_set(record, '$.environment.ASSAY_TEAM_KEY', 'CANARY')");
  EXPECT_THAT(secrets_of_runs(store_, {}), ElementsAre("run k: environment.ASSAY_TEAM_KEY of host h"));
}

}  // namespace
}  // namespace assay::results
