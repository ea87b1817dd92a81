// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// SQLite with its handles owned and its errors thrown.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/files/handle.hpp"

namespace assay::results {

/// Another process held its lock for longer than this one waits.
class DatabaseBusy : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reports that the file does not hold what was written into it.
class DamagedStore : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One prepared statement. Columns and parameters are given in order; a NULL number reads as NaN. A view or a
/// list of numbers is not copied: it must live until the statement has run.
class Statement {
 public:
  Statement(sqlite3* database, const std::string& sql);

  /// Starts again with these parameters, in order.
  template <class... Values>
  Statement& bind(const Values&... values) {
    reset();
    int position = 0;
    (put(++position, values), ...);
    return *this;
  }
  /// True while there is a row. Throws std::runtime_error with SQLite's words.
  bool step();
  void run() {
    while (step()) {
    }
    reset();
  }
  /// Ends it where it is.
  void reset() { sqlite3_reset(statement_.get()); }

  /// First column of the first row, 0 where there is none; ends the query.
  std::int64_t single_integer() {
    const std::int64_t value = step() ? integer(0) : 0;
    reset();
    return value;
  }

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double number(int column) const;
  std::optional<double> optional_number(int column) const;
  std::string text(int column) const;
  /// Lasts until the next step.
  std::string_view view(int column) const;
  std::vector<double> numbers(int column) const;
  /// Reads the numbers into `values`, whose memory is used again.
  void numbers(int column, std::vector<double>& values) const;

 private:
  void put(int position, std::int64_t value);
  template <std::integral Integer>
  void put(int position, Integer value) {
    put(position, std::int64_t{value});
  }
  void put(int position, double value);
  void put(int position, const std::optional<double>& value);
  void put(int position, const std::optional<std::int64_t>& value);
  void put(int position, const std::string& value);
  void put(int position, std::string_view value);
  void put(int position, std::span<const double> values);
  void require(int code) const;

  sqlite3* database_;
  core::Handle<sqlite3_stmt*, sqlite3_finalize> statement_;
};

class Database {
 public:
  /// Waits as long as `patience` for another process's write. Throws std::runtime_error.
  Database(const std::filesystem::path& path, bool create, std::chrono::milliseconds patience = a_minute);
  static constexpr std::chrono::milliseconds a_minute{60'000};

  void execute(const std::string& sql);
  Statement prepare(const std::string& sql) const { return Statement(connection_.get(), sql); }
  std::int64_t single_integer(const std::string& sql) const { return prepare(sql).single_integer(); }
  std::int64_t last_id() const { return sqlite3_last_insert_rowid(connection_.get()); }
  std::int64_t changes() const { return sqlite3_changes(connection_.get()); }
  /// For what SQLite has no statement for.
  sqlite3* connection() const { return connection_.get(); }

 private:
  core::Handle<sqlite3*, sqlite3_close_v2> connection_;
};

/// Takes the write lock at once; what was not committed is rolled back.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) { database_.execute("BEGIN IMMEDIATE"); }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool committed_ = false;
};

/// Holds one read lock, from the first statement on, while several run, so that all of them read the same
/// state. Others can read meanwhile; writers wait. Within another transaction it does nothing.
class ReadTransaction {
 public:
  explicit ReadTransaction(const Database& database);
  ~ReadTransaction();
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;

 private:
  const Database& database_;
  bool is_first_;
};

}  // namespace assay::results
