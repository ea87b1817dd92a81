// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The store: one SQLite file holding the records of many journals.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "results/journal.hpp"

namespace assay::results {

class Database;

struct ImportSummary {
  std::int64_t added = 0, already_there = 0;
  std::vector<JournalProblem> problems;
};

enum class StoreMode {
  create,    // makes the file where there is none
  existing,  // throws where there is none
};

class Store {
 public:
  /// Throws std::runtime_error with one line when the file is no store, cannot be opened, or its schema is
  /// newer.
  explicit Store(const std::filesystem::path& path, StoreMode mode = StoreMode::create);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  /// Reads a journal in, in one transaction: all of its good lines or, after an exception, none. A record
  /// that is already there is passed over, so importing twice is harmless. Safe while other processes import.
  ImportSummary import_journal(const std::filesystem::path& path);
  /// True when the record was new. One transaction each.
  bool add(const Record& record);

  const std::filesystem::path& path() const { return path_; }
  /// For queries of this folder.
  const Database& database() const { return *database_; }

 private:
  std::filesystem::path path_;
  std::unique_ptr<Database> database_;
};

}  // namespace assay::results
