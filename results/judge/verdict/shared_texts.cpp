// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/verdict/shared_texts.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace assay::results {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 16U, fewest_places = 64;

}  // namespace

std::uint32_t SharedTexts::number_of(std::string_view text) {
  if (2 * texts_.size() >= places_.size()) double_places();
  std::uint32_t& place = place_of(text);
  if (place == 0) {
    texts_.push_back(kept(text));
    place = static_cast<std::uint32_t>(texts_.size());
  }
  return place - 1;
}

std::vector<std::uint32_t> SharedTexts::ranks() const {
  std::vector<std::uint32_t> numbers(texts_.size()), ranks(texts_.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::ranges::sort(numbers, {}, [&](std::uint32_t number) { return texts_[number]; });
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) ranks[numbers[rank]] = rank;
  return ranks;
}

std::string_view SharedTexts::kept(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > block_bytes) {  // has a block of its own, before the one that is being filled
    const auto own = blocks_.insert(blocks_.end() - (blocks_.empty() ? 0 : 1),
                                    std::make_unique_for_overwrite<char[]>(text.size()));
    return {own->get(), text.copy(own->get(), text.size())};
  }
  if (text.size() > free_bytes_) {
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_bytes));
    free_bytes_ = block_bytes;
  }
  char* const begin = blocks_.back().get() + (block_bytes - free_bytes_);
  free_bytes_ -= text.copy(begin, text.size());
  return {begin, text.size()};
}

std::uint32_t& SharedTexts::place_of(std::string_view text) {
  const std::size_t last = places_.size() - 1;  // all bits set
  std::size_t at = std::hash<std::string_view>()(text) & last;
  while (places_[at] != 0 && texts_[places_[at] - 1] != text) at = (at + 1) & last;
  return places_[at];
}

void SharedTexts::double_places() {
  places_.assign(std::max(fewest_places, 2 * places_.size()), 0);
  for (std::uint32_t number = 0; number < texts_.size(); ++number) place_of(texts_[number]) = number + 1;
}

}  // namespace assay::results
