// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points on their way into a store, as rows of a virtual table: one statement inserts many of them, and keeps
// its place in the table and in every index from row to row. Used inside a transaction, by one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "results/record/json/point_line.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {

struct IncomingPoint {
  const PointRow* row = nullptr;
  std::int64_t run = 0, case_id = 0;
};

class IncomingPoints {
 public:
  explicit IncomingPoints(Database& database);

  /// The id that it will have. The row must live until insert().
  std::int64_t add(const PointRow& row, std::int64_t run, std::int64_t case_id);
  /// All that were added since the last call.
  void insert();

 private:
  using Rows = std::vector<IncomingPoint>;
  /// Makes the rows visible to the connection, under a name.
  class Table {
   public:
    Table(Database& database, Rows& rows);
    ~Table();
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

   private:
    Database& database_;
  };

  Database& database_;
  Rows rows_;
  std::int64_t last_id_;
  Table table_;
  Statement insert_;
};

}  // namespace assay::results
