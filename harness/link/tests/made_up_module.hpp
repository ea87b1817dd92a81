// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Memories of modules that never were, by half page.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "harness/link/module_memory.hpp"

namespace assay::link {

class MadeUpModule {
 public:
  /// A QSFP28 with light of 1 mW on four lanes, at 40 °C.
  static MadeUpModule qsfp28();
  /// An OSFP with CMIS, of the same light on the first four of eight lanes.
  static MadeUpModule osfp();
  /// A passive copper cable with ends of QSFP28.
  static MadeUpModule copper();

  /// At the address of the standards: below 128 in the lower half, whatever the page.
  void set_byte(int page, std::size_t at, unsigned value);
  void set_word(int page, std::size_t at, unsigned value);
  /// The page cannot be read.
  void forget(int page) { halves_.erase({page, 128}); }

  /// Half pages by page and offset (0 or 128).
  const std::map<std::pair<int, int>, std::string>& halves() const { return halves_; }
  ReadModule reader() const;

 private:
  void set_text(int page, std::size_t at, const std::string& text);
  /// High alarm, low alarm, high warning, low warning.
  void set_limits(int page, std::size_t at, const unsigned (&values)[4]);
  std::string& half_at(int page, std::size_t at);

  std::map<std::pair<int, int>, std::string> halves_;
};

}  // namespace assay::link
