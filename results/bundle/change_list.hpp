// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Verdicts that differ between two bundles, packed: each of a million rows may have changed. A text that
// several changes have is held once.
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

/// Copies share what they hold until one is changed.
class VerdictChanges {
 public:
  VerdictChanges();
  VerdictChanges(const VerdictChanges&) = default;  // a move copies: none is ever without its list
  VerdictChanges& operator=(const VerdictChanges&) = default;
  ~VerdictChanges() = default;

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

  Held& own();

  std::shared_ptr<Held> held_;
};

}  // namespace assay::results
