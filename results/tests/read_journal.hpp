// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A whole journal in memory.
#pragma once

#include <filesystem>
#include <vector>

#include "results/record/journal.hpp"

namespace assay::results {

struct Journal {
  std::vector<Record> records;
  std::vector<JournalProblem> problems;
};

inline Journal read_journal(const std::filesystem::path& path) {
  Journal journal;
  journal.problems = for_each_record(path, [&](const Record& record) { journal.records.push_back(record); });
  return journal;
}

}  // namespace assay::results
