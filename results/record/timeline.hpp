// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The timeline of a burn-in: rounds, modules, findings and readings, one JSON object a line, appended by all
// who watch. The dose of a burn-in and its verdicts are made of it. Its form: docs/reference/records.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/files/descriptor.hpp"
#include "results/record/record.hpp"

namespace assay::results {

/// Values that are words: of sessions, rounds and modules, of self-tests, of readings that could not be made.
/// Findings have the status, checks the verdict, self-tests that caught nothing the status of their point.
namespace entry_word {
inline constexpr const char* began = "began";
inline constexpr const char* resumed = "resumed";
inline constexpr const char* ended = "ended";
inline constexpr const char* cut = "cut";
inline constexpr const char* no_answer = "no_answer";
inline constexpr const char* caught = "caught";
inline constexpr const char* not_checked = "not_checked";
inline constexpr const char* unknown = "unknown";
}  // namespace entry_word

/// Such a word, with its reason where it has one.
struct Answer {
  std::string word, why = {};

  /// "no answer: killed after 60 s"
  std::string sentence() const;
};

struct TimelineEntry {
  std::string time = {};  // ISO 8601 UTC
  double at_s = 0;        // of the burn-in so far: the time between a kill and its resume is left out
  std::string kind = {};  // session, round, module, check, finding, temperature_c, energy_j, ...
  std::string unit = {};  // "GPU 3 0000:4b:00.0", "mlx5_2/1", "memory"; "" for the whole
  Scalar value = {};      // a number, or one word
  Fields more = {};       // why, round, check, evidence ...

  /// The value as a number; empty where it is a word.
  std::optional<double> number() const;
  /// The value as a word; "" where it is a number.
  std::string word() const;
  /// Values of `more`; "" and 0 where there is no such name or it is of the other kind.
  std::string text(const std::string& name) const;
  std::int64_t count(const std::string& name) const;
  Answer answer() const { return {word(), text("why")}; }
};

/// With its newline.
std::string to_line(const TimelineEntry& entry);
/// Empty for a line that is not an entry. Entries of earlier versions are given as they are written today.
std::optional<TimelineEntry> timeline_entry_from(const std::string& line);

/// Several processes may append at once: a line is written by one call.
class TimelineWriter {
 public:
  /// A torn last line left by a kill is closed first. Throws std::system_error, as write() does.
  explicit TimelineWriter(const std::filesystem::path& path);

  void write(const TimelineEntry& entry) const;

 private:
  std::filesystem::path path_;
  core::Descriptor file_;
};

struct Timeline {
  std::vector<TimelineEntry> entries;  // in the order written
  // Lines skipped, counted from 1. What a kill cut short, at the end or where a session resumed, is written
  // again by the session that continues; what any other line said is unknown.
  std::vector<long> damaged, torn;
};

/// Throws std::system_error when it cannot be opened.
Timeline read_timeline(const std::filesystem::path& path);

}  // namespace assay::results
