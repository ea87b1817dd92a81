// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The contents of journals while a run or a campaign still writes them: a row a host and module, and the
// latest bad points.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "results/record/record.hpp"
#include "results/table/table.hpp"

namespace assay::results {

struct LiveUnit {
  std::int64_t ok = 0, unsupported = 0, bad = 0;  // bad: failed, wrong, timed out
  double busy_s = 0;                              // within points
  bool ended = false;
  std::string origin, latest_point, latest_rate, latest_started;
};

/// The journals below one folder; each is read again when it has grown.
class LiveJournals {
 public:
  explicit LiveJournals(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void look();
  /// One row a host and module; an empty table without any.
  Table table() const;
  std::int64_t points() const;
  bool ended() const;
  /// Whole seconds since any journal was written: a run that was killed is only silent.
  double silent_s() const;
  /// The latest bad points, the latest first: "h1: memory.host.copy bytes=8: failed: no memory".
  std::vector<std::string> findings(std::size_t most) const;

 private:
  struct Journal {
    std::uintmax_t bytes = 0;
    std::map<std::pair<std::string, std::string>, LiveUnit> units;  // by host and module
    std::vector<std::pair<std::string, std::string>> findings;      // by when they began
  };
  static Journal read(const std::filesystem::path& file);
  std::map<std::pair<std::string, std::string>, LiveUnit> units() const;

  std::filesystem::path folder_;
  std::map<std::filesystem::path, Journal> journals_;
  std::filesystem::file_time_type written_ = std::filesystem::file_time_type::min();
};

}  // namespace assay::results
