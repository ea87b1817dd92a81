// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rows of verdicts, packed: a judge may have a row for each of a million series. A text that several rows
// have is held once, and copies of the list share what it holds. Rows are read by value, and never changed.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "results/judge/verdict/verdict_row.hpp"

namespace assay::results {

/// The part of a row that says how bad it is, without its texts.
struct VerdictMark {
  Verdict verdict = Verdict::not_run;
  bool excused = false;

  friend auto operator<=>(const VerdictMark&, const VerdictMark&) = default;
};

/// Place of its verdict in the order of gravity; -1 where the row is excused.
int gravity_of(const VerdictMark& mark);
/// "excused", else the word of its verdict.
std::string_view word_of(const VerdictMark& mark);

class VerdictRows {
 public:
  class Iterator;
  using value_type = VerdictRow;
  using const_iterator = Iterator;

  VerdictRows() = default;
  VerdictRows(const std::vector<VerdictRow>& rows);
  VerdictRows(std::initializer_list<VerdictRow> rows);

  void push_back(const VerdictRow& row);
  void append(const VerdictRows& more);
  /// Sets the origin of rows that have none.
  void name_origin(const std::string& origin);
  /// The worst first and else as they are.
  void sort_by_gravity();

  std::size_t size() const { return order_.size(); }
  bool empty() const { return order_.empty(); }
  VerdictRow operator[](std::size_t at) const;
  /// Throws std::out_of_range.
  VerdictRow at(std::size_t at) const;
  VerdictRow front() const { return at(0); }
  VerdictRow back() const { return at(size() - 1); }
  VerdictMark mark(std::size_t at) const;
  /// These last as long as this list.
  std::string_view unit(std::size_t at) const;
  std::string_view kind(std::size_t at) const;
  std::string_view metric(std::size_t at) const;
  std::string_view origin(std::size_t at) const;
  /// The origins of all rows.
  std::set<std::string> origins() const;
  Iterator begin() const;
  Iterator end() const;
  std::vector<VerdictRow> unpacked() const;

 private:
  struct Packed;
  struct Part {
    std::shared_ptr<Packed> rows;  // of this list alone while rows are added
    std::string origin;            // of those that do not say
  };
  struct Place {
    std::uint32_t part = 0, row = 0;
  };

  std::vector<Part> parts_;
  std::vector<Place> order_;
};

/// Makes each row as it is read.
class VerdictRows::Iterator {
 public:
  using iterator_concept = std::forward_iterator_tag;
  using iterator_category = std::input_iterator_tag;
  using value_type = VerdictRow;
  using difference_type = std::ptrdiff_t;
  using reference = VerdictRow;
  struct Held {
    VerdictRow row;
    const VerdictRow* operator->() const { return &row; }
  };
  using pointer = Held;

  Iterator() = default;
  Iterator(const VerdictRows& rows, std::size_t at) : rows_(&rows), at_(at) {}
  VerdictRow operator*() const { return (*rows_)[at_]; }
  pointer operator->() const { return {**this}; }
  Iterator& operator++() {
    ++at_;
    return *this;
  }
  Iterator operator++(int) { return {*rows_, at_++}; }
  bool operator==(const Iterator& other) const { return at_ == other.at_; }

 private:
  const VerdictRows* rows_ = nullptr;
  std::size_t at_ = 0;
};

inline VerdictRows::Iterator VerdictRows::begin() const { return {*this, 0}; }
inline VerdictRows::Iterator VerdictRows::end() const { return {*this, size()}; }

}  // namespace assay::results
