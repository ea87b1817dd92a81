// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A page of a report asks the store for no row, no record and no context twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <map>
#include <string>

#include "results/report/report.hpp"
#include "results/show/card.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/tests/fixed_contests.hpp"
#include "results/tests/fixed_copies.hpp"
#include "results/tests/fixed_overlap.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/fixed_simulation.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

/// Counts the statements that read from a store, with their parameters, and the points whose row or record
/// they gave.
class StatementCount {
 public:
  explicit StatementCount(const Store& store) : connection_(store.database().connection()) {
    sqlite3_trace_v2(connection_, SQLITE_TRACE_STMT | SQLITE_TRACE_ROW, count, this);
  }
  ~StatementCount() { sqlite3_trace_v2(connection_, 0, nullptr, nullptr); }
  StatementCount(const StatementCount&) = delete;
  StatementCount& operator=(const StatementCount&) = delete;

  std::map<std::string, int> statements, records;
  std::map<std::int64_t, int> rows;
  int locks = 0, records_without_lock = 0;

 private:
  static int count(unsigned what, void* context, void* statement, void*) {
    auto& self = *static_cast<StatementCount*>(context);
    auto* const of = static_cast<sqlite3_stmt*>(statement);
    const std::string sql = sqlite3_sql(of);
    if (what == SQLITE_TRACE_ROW) {
      if (sql.starts_with("SELECT p.id,")) ++self.rows[sqlite3_column_int64(of, 0)];
      return 0;
    }
    if (sql == "BEGIN" || sql == "ROLLBACK") {  // of a ReadTransaction, which reads nothing by itself
      self.has_lock_ = sql == "BEGIN";
      self.locks += self.has_lock_ ? 1 : 0;
      return 0;
    }
    char* const expanded = sqlite3_expanded_sql(of);
    ++self.statements[expanded];
    const std::string of_point = " FROM points WHERE id = ", text = expanded;
    const auto at = text.find(of_point);
    if (at != std::string::npos && sql.find("record") < at) {
      ++self.records[text.substr(at + of_point.size())];
      self.records_without_lock += self.has_lock_ ? 0 : 1;
    }
    sqlite3_free(expanded);
    return 0;
  }
  sqlite3* connection_;
  bool has_lock_ = false;
};

class OneReading : public testing::TestWithParam<std::vector<Record> (*)()> {
 protected:
  OneReading() { store_.add(GetParam()()); }
  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
};

TEST_P(OneReading, APageReadsEachRowAndEachRecordOnce) {
  const StatementCount count(store_);
  const RunPoints run(store_);
  report_html(run);
  EXPECT_EQ(std::ssize(count.rows), run.stored().points());
  EXPECT_THAT(count.rows, testing::Each(testing::Pair(testing::_, 1)));
  EXPECT_THAT(count.records, testing::Not(testing::IsEmpty()));
  EXPECT_THAT(count.records, testing::Each(testing::Pair(testing::_, 1)));
  EXPECT_THAT(count.statements, testing::Each(testing::Pair(testing::_, 1))) << "of any kind";
}

TEST_P(OneReading, TheCardOfARunWhoseReportWasWrittenReadsNothingMore) {
  const RunPoints run(store_);
  report_html(run);
  const StatementCount count(store_);
  node_card(run);
  EXPECT_THAT(count.statements, testing::IsEmpty());
}

TEST_P(OneReading, ATableReadsItsRecordsUnderOneLock) {
  const RunPoints run(store_);
  const StatementCount count(store_);
  run.measured("*");
  EXPECT_THAT(count.records, testing::Not(testing::IsEmpty()));
  EXPECT_EQ(count.locks, 1);
  EXPECT_EQ(count.records_without_lock, 0);
}

TEST_P(OneReading, AStatementThatRunsTwiceIsSeenByThisTest) {
  const StatementCount count(store_);
  report_html(RunPoints(store_));
  report_html(RunPoints(store_));
  EXPECT_THAT(count.rows, testing::Each(testing::Pair(testing::_, 2)));
  EXPECT_THAT(count.records, testing::Contains(testing::Pair(testing::_, 2)));
}

std::vector<Record> a_run() { return test::fixed_run(); }

INSTANTIATE_TEST_SUITE_P(Runs, OneReading,
                         testing::Values(a_run, test::fixed_copies, test::fixed_overlap,
                                         test::fixed_simulation, test::fixed_contests));

}  // namespace
}  // namespace assay::results
