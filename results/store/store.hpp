// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The store: one SQLite file holding the records of many journals.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/core/files/byte_stream.hpp"
#include "results/record/journal.hpp"

namespace assay::results {

class Database;

struct ImportSummary {
  std::int64_t added = 0, already_there = 0;
  std::vector<JournalProblem> problems;  // damaged lines, left out
  std::vector<JournalProblem> doubts;    // records that were kept: the clock went back
  std::vector<JournalProblem> secrets;  // what looks like one, by its place in the record; the store has none
};

enum class StoreMode {
  create,    // makes the file where there is none
  existing,  // throws where there is none
};

/// Reports that what is at the path is not a store that this program can use: bad input, not bad luck.
struct NoStore : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Store {
 public:
  /// Throws NoStore with one line that names the path when the file is not a store, cannot be opened, or its
  /// schema is another, DamagedStore where a page does not match its checksum, and DatabaseBusy when
  /// another process writes for longer than `patience`. An empty path is a store of this process only, gone
  /// with it.
  explicit Store(const std::filesystem::path& path, StoreMode mode = StoreMode::create,
                 std::chrono::milliseconds patience = std::chrono::minutes(1));
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  /// Reads journals in, in one transaction: all of their good lines or, after an exception or a kill, none. A
  /// record that is already there is skipped, so importing twice is harmless. Safe while other processes
  /// import. Throws std::runtime_error with one line, among others for a run id that two nodes use.
  std::vector<ImportSummary> import_journals(std::span<const std::filesystem::path> paths);
  ImportSummary import_journal(const std::filesystem::path& path);
  /// Reads a journal's text in, as import_journal() reads its file; messages call it `name`.
  ImportSummary import_lines(const std::filesystem::path& name, core::ByteSource lines);
  /// True when the record was new. One transaction each.
  bool add(const Record& record);
  /// All of them in one transaction.
  void add(std::span<const Record> records);
  /// Throws DamagedStore naming the first page of the file that does not match its checksum. What is not
  /// verified here is verified when it is read, and what was read, here or by another connection of this
  /// process, is not read again.
  void verify() const;

  const std::filesystem::path& path() const { return path_; }
  /// For queries of this folder.
  const Database& database() const { return *database_; }
  /// For changes that this folder makes.
  Database& writable_database() { return *database_; }

 private:
  /// In one transaction; whether any was new.
  bool insert(std::span<const Record> records);
  std::vector<ImportSummary> import(std::span<const std::filesystem::path> paths,
                                    core::ByteSource lines = nullptr);

  std::filesystem::path path_;
  std::unique_ptr<Database> database_;
};

}  // namespace assay::results
