// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The store: one SQLite file holding the records of many journals.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "results/journal.hpp"

namespace assay::results {

struct ImportSummary {
  std::int64_t added = 0, already_there = 0;
  std::vector<JournalProblem> problems;
};

class Store {
 public:
  /// Opens or creates. Throws std::runtime_error with one line when the file is no store, or its schema is
  /// newer.
  explicit Store(const std::filesystem::path& path);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  /// Reads a journal in; a record that is already there is passed over, so importing twice is harmless.
  ImportSummary import_journal(const std::filesystem::path& path);
  void add(const Record& record);

 private:
  friend class Query;
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace assay::results
