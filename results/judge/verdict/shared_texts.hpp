// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Texts by number, each held once: a million rows name a few thousand units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

namespace assay::results {

class SharedTexts {
 public:
  /// The number of a text, equal for equal texts; from 0, in the order in which they first came.
  std::uint32_t number_of(std::string_view text);
  /// Lasts as long as this does.
  std::string_view operator[](std::uint32_t number) const { return texts_[number]; }
  std::size_t size() const { return texts_.size(); }
  /// Indexed by number: the text's place among all in the order of their bytes.
  std::vector<std::uint32_t> ranks() const;

 private:
  std::string_view kept(std::string_view text);
  /// The place of the text, or the free place where it belongs.
  std::uint32_t& place_of(std::string_view text);
  void double_places();

  std::deque<std::string_view> texts_;
  std::vector<std::uint32_t> places_;  // by hash, open addressing: 0 is free, else the number and one
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t free_bytes_ = 0;  // at the end of the last block
};

}  // namespace assay::results
