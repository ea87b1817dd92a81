// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What happened when: rounds, modules, findings and readings of a burn-in, one JSON object a line, appended
// by all who watch. The dose of a burn-in and its verdicts are made of it. Its form:
// docs/reference/records.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/record/record.hpp"

namespace assay::results {

struct TimelineEntry {
  std::string time = {};  // ISO 8601 UTC
  double at_s = 0;        // of the burn-in so far: the time between a kill and its resume is left out
  std::string kind = {};  // session, round, module, check, finding, temperature_c, energy_j, ...
  std::string unit = {};  // "GPU 3 0000:4b:00.0", "mlx5_2/1", "memory"; "" for the whole
  Scalar value = {};      // a number, or a word; an unknown reading is "unknown: why"
  Fields more = {};       // round, check, evidence ...

  /// The value as a number; empty where it is a word.
  std::optional<double> number() const;
  /// The value as a word; "" where it is a number.
  std::string word() const;
  /// Of `more`; "" and 0 where there is no such name or it is of the other kind.
  std::string text(const std::string& name) const;
  std::int64_t count(const std::string& name) const;
};

/// A field's value, or null.
const Scalar* find(const Fields& fields, const std::string& name);
/// Empty for a word.
std::optional<double> number_of(const Scalar& value);

/// With its newline.
std::string to_line(const TimelineEntry& entry);
/// Empty for a line that is none.
std::optional<TimelineEntry> timeline_entry_from(const std::string& line);

/// Several processes may append at once: a line is written by one call.
class TimelineWriter {
 public:
  /// A torn last line left by a kill is closed first. Throws std::system_error, as write() does.
  explicit TimelineWriter(const std::filesystem::path& path);
  ~TimelineWriter();
  TimelineWriter(const TimelineWriter&) = delete;
  TimelineWriter& operator=(const TimelineWriter&) = delete;

  void write(const TimelineEntry& entry) const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

struct Timeline {
  std::vector<TimelineEntry> entries;  // in the order written
  // Lines passed over, counted from 1. What a kill cut short, at the end or where a session resumed, is told
  // again by the session that goes on; what any other line said is not known.
  std::vector<long> damaged, torn;
};

/// Throws std::system_error when it cannot be opened.
Timeline read_timeline(const std::filesystem::path& path);

}  // namespace assay::results
