// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/training/bytes_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string_view>

#include "harness/core/error.hpp"
#include "harness/core/files/input_lines.hpp"
#include "harness/core/printable.hpp"

namespace assay::training {

namespace {

constexpr std::size_t longest_matrix_row = std::size_t{1} << 20U;  // bytes

class MatrixReader {
 public:
  explicit MatrixReader(const std::string& file) : file_(file) {}

  BytesMatrix read() {
    core::InputLines lines(file_, "bytes from each rank (a row) to each rank (CSV)", longest_matrix_row);
    while (lines.next()) {
      ++line_;
      std::string_view text = lines.line();
      if (lines.too_long()) refuse_row("is longer than a row can be");
      if (text.ends_with('\r')) text.remove_suffix(1);
      if (!text.empty()) take(text);
    }
    if (matrix_.empty() || matrix_.size() != matrix_.front().size())
      core::usage_error(fmt::format("{}: {} rows of {} numbers: expected a row and a column for each rank",
                                    file_, matrix_.size(), matrix_.empty() ? 0 : matrix_.front().size()));
    return std::move(matrix_);
  }

 private:
  [[noreturn]] void refuse_row(const std::string& why) const {
    core::usage_error(fmt::format("{}:{}: {}", file_, line_, why));
  }

  std::uint64_t number_of(std::string_view cell) const {
    while (cell.starts_with(' ')) cell.remove_prefix(1);
    while (cell.ends_with(' ')) cell.remove_suffix(1);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (error != std::errc() || end != cell.data() + cell.size() || number > most_row_bytes)
      refuse_row(fmt::format("'{}': expected bytes as a whole number from 0 to {}", core::printable(cell, 40),
                             most_row_bytes));
    return number;
  }

  void take(std::string_view text) {
    std::vector<std::uint64_t> row;
    std::uint64_t sum = 0;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      row.push_back(number_of(text.substr(begin, end - begin)));
      sum += row.back();
      if (sum > most_row_bytes) refuse_row(fmt::format("expected at most {} bytes in a row", most_row_bytes));
      begin = end + 1;
    }
    if (row.size() > most_matrix_ranks)
      refuse_row(fmt::format("expected at most {} ranks, got {}", most_matrix_ranks, row.size()));
    if (!matrix_.empty() && row.size() != matrix_.front().size())
      refuse_row(fmt::format("expected {} numbers, as in the row before, got {}", matrix_.front().size(),
                             row.size()));
    if (matrix_.size() == row.size())
      refuse_row(fmt::format("expected {} rows, one for each column", row.size()));
    matrix_.push_back(std::move(row));
  }

  const std::string& file_;
  std::size_t line_ = 0;
  BytesMatrix matrix_;
};

}  // namespace

BytesMatrix read_bytes_matrix(const std::string& file) { return MatrixReader(file).read(); }

std::uint64_t most_sent(const BytesMatrix& matrix) {
  std::uint64_t most = 0;
  for (std::size_t rank = 0; rank < matrix.size(); ++rank)
    most = std::max(most, std::accumulate(matrix[rank].begin(), matrix[rank].end(), std::uint64_t{0}) -
                              matrix[rank][rank]);
  return most;
}

}  // namespace assay::training
