// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Who sends how many elements to whom, and the file that says so.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <vector>

namespace assay::collectives {

class CountsMatrix {
 public:
  /// ranks x ranks, by sender. Throws a usage Error where a row has another length.
  explicit CountsMatrix(std::vector<std::vector<std::int64_t>> rows);

  int ranks() const { return static_cast<int>(rows_.size()); }
  std::int64_t at(int from, int to) const {
    return rows_[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
  }
  std::int64_t sent_by(int rank) const;

 private:
  std::vector<std::vector<std::int64_t>> rows_;
};

/// A line a sender, a whole number of elements a receiver, separated by blanks or commas; `#` begins a
/// comment. Throws a usage Error naming `source`, the line, and what was expected.
CountsMatrix read_counts_matrix(std::istream& text, const std::string& source);
CountsMatrix read_counts_matrix(const std::filesystem::path& file);

}  // namespace assay::collectives
