// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The words of an enumeration, in its order, and back.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace assay::core {

/// Selects what a namespace says of a type: words_for(Type<Status>()), fields_of(Type<TimeSummary>()).
template <class T>
struct Type {
  using type = T;
};

template <class Enum, std::size_t size>
struct Words {
  std::array<std::string_view, size> words;

  constexpr std::string_view of(Enum value) const {
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

/// The word of a value whose words its namespace has: `words_for(Type<Enum>)`.
template <class Enum>
constexpr std::string_view word_of(Enum value) {
  return words_for(Type<Enum>()).of(value);
}

/// "right, wrong or not_checked"; an empty word, which stands for none, is left out.
inline std::string alternatives(std::span<const std::string_view> words) {
  std::string text;
  for (const auto& word : words) {
    if (word.empty()) continue;
    if (!text.empty()) text += &word == &words.back() ? " or " : ", ";
    text += word;
  }
  return text;
}

}  // namespace assay::core
