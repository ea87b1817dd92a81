// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/sqlite/database.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

TEST(ReadTransaction, ReadsOneStateWhileOthersWaitToWrite) {
  const test::TemporaryFolder folder;
  Database database(folder / "a.db", true);
  database.execute("CREATE TABLE numbers (value); INSERT INTO numbers VALUES (1)");
  Database other(folder / "a.db", false, std::chrono::milliseconds(20));
  {
    const ReadTransaction one_state(database);
    EXPECT_EQ(database.single_integer("SELECT count(*) FROM numbers"), 1);
    EXPECT_THROW(other.execute("INSERT INTO numbers VALUES (2)"), DatabaseBusy);
    EXPECT_EQ(other.single_integer("SELECT count(*) FROM numbers"), 1);
  }
  other.execute("INSERT INTO numbers VALUES (2)");
  EXPECT_EQ(database.single_integer("SELECT count(*) FROM numbers"), 2);
}

}  // namespace
}  // namespace assay::results
