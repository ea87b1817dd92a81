// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A CSV file of timings: columns known by name, every cell checked when read, every error with file, line
// and column.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay::model::fit {

/// The source of rows: a file, or text that has a name of its own (what a store holds).
struct CsvSource {
  CsvSource(const char* path) : name(path) {}  // NOLINT(google-explicit-constructor): a path is a source
  CsvSource(std::string path) : name(std::move(path)) {}  // NOLINT(google-explicit-constructor)
  CsvSource(std::string called, std::string text) : name(std::move(called)), content(std::move(text)) {}

  std::string name;
  std::optional<std::string> content;  // nothing: of the file of that name
  std::string origin =
      "imported";  // what the numbers are: measured, imported, simulated, predicted, or several

  /// The content. A file is read once for all copies, because a pipe has it only once; not by several threads
  /// at a time. Throws a usage Error for a file that cannot be read.
  const std::string& text() const;

 private:
  std::shared_ptr<std::optional<std::string>> read_ = std::make_shared<std::optional<std::string>>();
};

class CsvTable {
 public:
  struct Columns {
    std::vector<std::string> required, optional;
  };

  /// A column `origin` may always be there. Throws a usage error for a file that cannot be read, has no row,
  /// lacks a required column, has a column that is neither required nor optional or is there twice, or has a
  /// row with too few or too many cells.
  static CsvTable read(const CsvSource& source, Columns columns);

  const std::string& path() const { return path_; }
  const std::string& sha256() const { return sha256_; }
  /// The origin of the rows' numbers, "measured and simulated" where they differ; "imported" where no column
  /// says.
  const std::string& origin() const { return origin_; }
  std::size_t rows() const { return cells_.size(); }
  bool has(const std::string& column) const { return place_.contains(column); }

  /// The value of one cell. An optional column that is absent reads as "". `positive` takes finite numbers
  /// above 0, `count` whole numbers from 1; anything else is a usage error.
  std::string text(std::size_t row, const std::string& column) const;
  double positive(std::size_t row, const std::string& column) const;
  std::int64_t count(std::size_t row, const std::string& column) const;

  /// The row's line in the file, from 1.
  std::size_t line(std::size_t row) const { return line_[row]; }
  /// "FILE:LINE: column 'NAME'"
  std::string where(std::size_t row, const std::string& column) const;
  /// Throws a usage error that starts with where().
  [[noreturn]] void complain(std::size_t row, const std::string& column, const std::string& what) const;

 private:
  void read_origin();
  void read_header(const std::string& line, const Columns& columns);

  std::string path_, sha256_, origin_;
  std::map<std::string, std::size_t> place_;
  std::vector<std::vector<std::string>> cells_;
  std::vector<std::size_t> line_;
};

}  // namespace assay::model::fit
