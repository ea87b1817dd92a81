// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/counts_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <sstream>
#include <string_view>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"

namespace assay::collectives {
namespace {

constexpr std::string_view separators = " \t\r,";
constexpr std::int64_t most_elements = std::int64_t{1} << 40;  // of one pair; sums stay far from overflow

std::int64_t number_from(std::string_view word, const std::string& where) {
  std::int64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [last, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc{} || last != end || value < 0 || value > most_elements)
    core::usage_error(
        fmt::format("{}: '{}' is not a number of elements: expected 0 to {}", where, word, most_elements));
  return value;
}

std::vector<std::int64_t> row_from(std::string_view line, const std::string& where) {
  std::vector<std::int64_t> row;
  line = line.substr(0, line.find('#'));
  for (;;) {
    const std::size_t begin = line.find_first_not_of(separators);
    if (begin == std::string_view::npos) return row;
    line.remove_prefix(begin);
    const std::size_t length = std::min(line.find_first_of(separators), line.size());
    row.push_back(number_from(line.substr(0, length), where));
    line.remove_prefix(length);
  }
}

}  // namespace

CountsMatrix::CountsMatrix(std::vector<std::vector<std::int64_t>> rows) : rows_(std::move(rows)) {
  for (std::size_t rank = 0; rank < rows_.size(); ++rank)
    if (rows_[rank].size() != rows_.size())
      core::usage_error(fmt::format("traffic matrix: rank {} sends to {} ranks, but there are {} rows", rank,
                                    rows_[rank].size(), rows_.size()));
}

std::int64_t CountsMatrix::sent_by(int rank) const {
  const auto& row = rows_[static_cast<std::size_t>(rank)];
  return std::accumulate(row.begin(), row.end(), std::int64_t{0});
}

CountsMatrix read_counts_matrix(std::istream& text, const std::string& source) {
  std::vector<std::vector<std::int64_t>> rows;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    const std::string where = fmt::format("{}:{}", source, number);
    std::vector<std::int64_t> row = row_from(line, where);
    if (row.empty()) continue;
    if (!rows.empty() && row.size() != rows.front().size())
      core::usage_error(
          fmt::format("{}: {} numbers, but the rows above have {}", where, row.size(), rows.front().size()));
    rows.push_back(std::move(row));
  }
  if (rows.empty()) core::usage_error(fmt::format("{}: no row: expected one line a sending rank", source));
  if (rows.size() != rows.front().size())
    core::usage_error(fmt::format("{}: {} rows of {} numbers: expected as many rows as numbers in a row",
                                  source, rows.size(), rows.front().size()));
  return CountsMatrix(std::move(rows));
}

CountsMatrix read_counts_matrix(const std::filesystem::path& file) {
  constexpr std::size_t most_bytes = std::size_t{64} << 20U;
  std::istringstream text(core::read_input(file.string(), "a traffic matrix file", most_bytes));
  return read_counts_matrix(text, file.string());
}

}  // namespace assay::collectives
