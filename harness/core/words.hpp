// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The words of an enumeration, in its order, and back.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace assay::core {

template <class Enum, std::size_t size>
struct Words {
  std::array<std::string_view, size> words;

  std::string_view of(Enum value) const {
    const auto place = static_cast<std::size_t>(value);
    return place < size ? words[place] : "unknown";
  }
  /// Nothing for a word that is not one of them.
  std::optional<Enum> named(std::string_view word) const {
    const auto* const found = std::ranges::find(words, word);
    return found == words.end() ? std::nullopt : std::optional(static_cast<Enum>(found - words.begin()));
  }
};

/// `words_of<LinkClass>("clean", "congested", ...)`.
template <class Enum, class... Word>
constexpr Words<Enum, sizeof...(Word)> words_of(const Word&... words) {
  return {{std::string_view(words)...}};
}

}  // namespace assay::core
