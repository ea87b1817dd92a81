// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/shell_words.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"

namespace assay::core {

std::vector<std::string> split_words(std::string_view text, std::string_view where) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (const char letter : text) {
    if (quote == 0 && (letter == ' ' || letter == '\t' || letter == '\n')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (letter == quote)
      quote = 0;
    else if (quote == 0 && (letter == '\'' || letter == '"'))
      quote = letter;
    else
      words.back() += letter;
  }
  if (quote != 0) usage_error(fmt::format("{}: {} is not closed in: {}", where, quote, text));
  return words;
}

std::string shell_text(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRS"
                                            "TUVWXYZ0123456789_-+=./,:@%") == std::string::npos;
    text += text.empty() ? "" : " ";
    if (plain) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    text += '\'';
  }
  return text;
}

}  // namespace assay::core
