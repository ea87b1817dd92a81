// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Puts records into a store's tables, with the statements prepared once. Used inside a transaction.
#pragma once

#include <string>
#include <unordered_map>

#include "results/database.hpp"
#include "results/journal.hpp"

namespace assay::results {

class Inserter {
 public:
  explicit Inserter(Database& database);
  /// False when the very same record is already there.
  bool insert(const Record& record);

 private:
  bool insert(const ContextRecord& context, std::int64_t hash);
  bool insert(const PointRecord& point, std::int64_t hash);
  bool insert(const EndRecord& end, std::int64_t hash);
  void insert_measurement(const PointRecord& point, std::int64_t id);
  void count(const PointRecord& point, std::int64_t run, std::int64_t case_id, std::int64_t id);
  std::int64_t run_of(const std::string& run_id, const std::string& started);
  std::int64_t case_of(const std::string& name);

  Database& database_;
  Statement context_, point_, end_, metric_, samples_, new_run_, find_run_, earlier_, new_case_, find_case_,
      extremes_;
  std::vector<Statement> count_in_run_, count_in_case_;  // by status
  std::unordered_map<std::string, std::int64_t> runs_, cases_;
};

}  // namespace assay::results
