// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/tools/nccl_table.hpp"

#include <algorithm>
#include <array>

#include "results/peers/text/columns.hpp"

namespace assay::results::peers {
namespace {

bool has_word(const std::vector<std::string_view>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// The bound of the program itself, by type, before 2.13.
double largest_right_deviation(std::string_view type) {
  if (type == "half" || type == "bfloat16") return 1e-2;
  if (type == "float") return 1e-5;
  return type == "double" ? 1e-12 : 0;
}

bool is_operator(std::string_view word) {
  constexpr std::array<std::string_view, 7> known{"none", "sum", "prod", "max", "min", "avg", "mulsum"};
  return std::ranges::find(known, word) != known.end();
}

/// "2026-07-22" "03:14:55"
bool is_time_of_day(std::string_view date, std::string_view time) {
  return date.size() == 10 && date[4] == '-' && date[7] == '-' && time.size() >= 8 && time[2] == ':' &&
         time[5] == ':';
}

/// "inf", "nan": the column is there, and states no number.
bool is_no_number(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  return word == "inf" || word == "nan";
}

/// Takes the last column into `number`; false where it is not a number of any kind.
bool take_number(std::vector<std::string_view>& columns, std::optional<PrintedNumber>& number) {
  if (columns.empty()) return false;
  const std::string_view word = columns.back();
  columns.pop_back();
  number = printed_number(word);
  return number.has_value() || is_no_number(word);
}

bool take_metric(std::vector<std::string_view>& columns, const char* name, NcclHalf& half) {
  std::optional<PrintedNumber> number;
  if (!take_number(columns, number)) return false;
  if (number && name[0] != '\0') half.metrics.insert(half.metrics.begin(), {name, "us", number->value});
  return true;
}

}  // namespace

void NcclTable::read_heading(std::string_view text) {
  const auto words = columns_of(text);
  if (has_word(words, "out-of-place") || has_word(words, "in-place")) places_ = std::string(text);
  if (words.size() > 3 && words[0] == "bytes" && has_word(words, "algbw"))
    fault_ = "a table of 2017, whose times are in milliseconds: expected nccl-tests 2.9 or later";
  if (!words.empty() && words[0] == "(B)" && !halves_.empty()) {
    has_units_ = has_word(words, "(us)") && has_word(words, "(GB/s)");
    if (!has_units_) fault_ = "a table in other units: expected times in (us) and rates in (GB/s)";
  }
  if (words.size() < 6 || words[0] != "size" || words[1] != "count" || words[2] != "type") return;
  halves_.clear();
  has_units_ = false;
  has_redop_ = has_word(words, "redop");
  has_root_ = has_word(words, "root");
  deviation_ = has_word(words, "error");
  per_iteration_ = has_word(words, "i_min");
  time_of_day_ = has_word(words, "timestamp");
  const bool only_in_place = places_.find("out-of-place") == std::string::npos && !places_.empty();
  for (const std::string_view word : words)
    if (word == "time" || word == "cputime")
      halves_.push_back({.in_place = only_in_place || !halves_.empty(), .launch_time = word == "cputime"});
  if (halves_.size() > 2) fault_ = "a table with more than two times in a row";
}

bool NcclTable::take_half(std::vector<std::string_view>& columns, const Half& form, NcclRow& row) const {
  NcclHalf half{.in_place = form.in_place,
                .is_launch_time = form.launch_time,
                .time = {},
                .algbw = {},
                .busbw = {},
                .wrong = {}};
  if (per_iteration_ && !(take_metric(columns, "", half) && take_metric(columns, "p99_us", half) &&
                          take_metric(columns, "max_us", half) && take_metric(columns, "min_us", half)))
    return false;
  if (columns.empty()) return false;
  if (columns.back() == "N/A") {
    columns.pop_back();
  } else {
    std::optional<PrintedNumber> wrong;
    if (!take_number(columns, wrong) || !wrong || wrong->value < 0) return false;
    half.wrong = wrong->value;
  }
  if (!take_number(columns, half.busbw) || !take_number(columns, half.algbw) ||
      !take_number(columns, half.time))
    return false;
  row.halves.insert(row.halves.begin(), std::move(half));
  return true;
}

bool NcclTable::read_row(const Line& line, NcclRun& run) {
  if (!has_units_ || halves_.empty()) return false;
  auto columns = columns_of(line.text);
  NcclRow row;
  row.line = line.number;
  if (time_of_day_) {
    if (columns.size() < 2 || !is_time_of_day(columns[columns.size() - 2], columns.back())) return false;
    row.started =
        std::string(columns[columns.size() - 2]) + " " + std::string(columns.back()) + " local time";
    columns.resize(columns.size() - 2);
  }
  for (std::size_t half = halves_.size(); half > 0; --half)
    if (!take_half(columns, halves_[half - 1], row)) return false;
  if (columns.size() < 3 || columns.size() > std::size_t{3} + has_redop_ + has_root_) return false;
  const auto bytes = whole_number(columns[0]), count = whole_number(columns[1]);
  if (!bytes || !count || *bytes < 0 || *count < 0) return false;
  row.bytes = *bytes;
  row.type = std::string(columns[2]);
  for (std::size_t i = 3; i < columns.size(); ++i) {
    if (has_redop_ && i == 3 && is_operator(columns[i]))
      row.redop = std::string(columns[i]);
    else if (has_root_ && i + 1 == columns.size() && whole_number(columns[i]))
      row.root = std::string(columns[i]);
    else
      return false;
  }
  run.rows.push_back(std::move(row));
  return true;
}

void NcclTable::judge_deviations(NcclRun& run, bool all_right) const {
  if (!deviation_) return;
  for (NcclRow& row : run.rows)
    for (NcclHalf& half : row.halves) {
      if (!half.wrong) continue;
      const bool wrong = !all_right && *half.wrong > largest_right_deviation(row.type);
      half.metrics.push_back({"largest_deviation", "", *half.wrong});
      half.wrong = wrong ? 1 : 0;
    }
}

}  // namespace assay::results::peers
