// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Verdicts that are others in another bundle, packed: each of a million rows may have changed. A text that
// several changes have is held once, and copies of the list share what it holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>

namespace assay::results {

struct VerdictChange {
  std::string unit, metric;
  std::string in_a, in_b;            // the verdict; "-" where there is no such row
  std::string because_a, because_b;  // one line each
  std::string cause;                 // data, limit, code; several joined by " and "
};

class VerdictChanges {
 public:
  VerdictChanges();

  void reserve(std::size_t count);
  void push_back(const VerdictChange& change);
  void set(std::size_t at, std::string VerdictChange::* field, std::string_view text);
  std::size_t size() const;
  bool empty() const { return size() == 0; }
  VerdictChange operator[](std::size_t at) const;
  VerdictChange front() const { return (*this)[0]; }
  /// Each as it is read; lasts as long as this list.
  auto each() const {
    return std::views::iota(std::size_t{0}, size()) |
           std::views::transform([this](std::size_t at) { return (*this)[at]; });
  }

 private:
  struct Held;

  std::shared_ptr<Held> held_;
};

}  // namespace assay::results
