// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The journal: JSON lines, append-only, each line closed by its own CRC, so that a killed process loses at
// most the point in flight and a damaged line is known from a good one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "harness/core/files/descriptor.hpp"
#include "results/record/record.hpp"

namespace assay::results {

using Record = std::variant<ContextRecord, PointRecord, EndRecord>;

/// One JSON object without the newline; its last key is "crc32", over all before it.
std::string to_line(const Record& record);
/// Throws std::runtime_error with one line saying what is wrong ("not JSON", "crc32 does not match", "schema
/// 2 is newer than this program reads (1)", "key 'status': expected ...").
Record from_line(const std::string& line);

class JournalWriter {
 public:
  /// Opens for append; a torn last line left by a kill is cut off first. Throws std::system_error.
  explicit JournalWriter(const std::filesystem::path& path);

  /// Writes the line and flushes it to the disk (fdatasync). On a full disk the torn part is cut off again,
  /// the line is kept in a rescue file (see rescued()), and std::system_error reports both.
  void write(const Record& record);
  /// As write(), of many lines with one flush: a kill leaves all of them, or some of the first.
  void write_all(std::span<const Record> records);
  /// As write(), of what `make` returns while no other process may write; nothing where it returns nothing.
  void write_made(const std::function<std::optional<Record>()>& make);
  /// As write(). False, and nothing is written, where another process has appended such a record since this
  /// one's last, or has cut that off.
  bool write_unless(const Record& record, const std::function<bool(const Record&)>& is_there);
  /// The file of the lines that the journal had no space for; empty if none.
  const std::filesystem::path& rescued() const { return rescued_; }

 private:
  bool append(const std::function<std::optional<std::string>(std::int64_t end)>& make);

  std::filesystem::path path_, rescued_;
  core::Descriptor file_;
  std::int64_t own_end_ = -1;  // of its last line
};

struct JournalProblem {
  std::filesystem::path file;
  long line = 0;  // 1-based
  std::string what;
  bool torn = false;  // the last line, without its newline: the writer was killed, or is still writing
};
/// "longer than 64 MiB": what is wrong with a line of which no more was read.
std::string longer_than_any_line();

/// The problem of a line that from_line() refused, saying `what`.
JournalProblem refused_line(const std::filesystem::path& file, long line, const std::string& what, bool torn);

/// Every good line; returns the damaged ones. Throws std::system_error when the file cannot be opened.
std::vector<JournalProblem> for_each_record(const std::filesystem::path& path,
                                            const std::function<void(const Record&)>& visit);

}  // namespace assay::results
