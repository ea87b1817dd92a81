// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Faults of journals when they were read into a store, kept in the store: every judge asks for them. Damage
// is forgotten when the journal comes whole.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/journal_blocks.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {

class ImportDoubts {
 public:
  /// Inside a transaction. The paths must live as long as this.
  ImportDoubts(Database& database, std::span<const std::filesystem::path> paths);
  /// The blocks of a journal in their order.
  void see(const JournalBlock& block);
  /// Once the records are there and counted.
  void finish();

 private:
  struct Fault {
    std::string run;  // empty: not known yet
    JournalProblem problem;
    bool damage = false;
  };
  struct Journal {
    std::map<std::string, std::int64_t, std::less<>> records;  // good ones, by run
    std::string last_run;
    std::vector<Fault> faults;
  };
  static void count(Journal& journal, std::string_view run);
  void keep(const Journal& journal, const std::filesystem::path& path);
  void forget_damage(const Journal& journal, const std::filesystem::path& path);

  Database& database_;
  std::span<const std::filesystem::path> paths_;
  std::vector<Journal> journals_;
};

}  // namespace assay::results
