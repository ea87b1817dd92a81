// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/copied_words.hpp"

#include <algorithm>

#include "offload/incompressible.hpp"

namespace assay::offload {

std::vector<std::uint64_t> words_to_copy(std::int64_t bytes) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(bytes) / sizeof(std::uint64_t));
  fill_incompressibly(words);
  return words;
}

std::optional<std::int64_t> first_wrong_word(const void* seen, std::int64_t bytes) {
  const std::vector<std::uint64_t> expected = words_to_copy(bytes);
  const auto* words = static_cast<const std::uint64_t*>(seen);
  const auto first = std::mismatch(expected.begin(), expected.end(), words).first;
  return first == expected.end() ? std::nullopt : std::optional<std::int64_t>(first - expected.begin());
}

core::Verification compare_copied(const void* seen, std::int64_t bytes, const std::string& target) {
  using Result = core::Verification::Result;
  const auto wrong = first_wrong_word(seen, bytes);
  if (!wrong) return {Result::right, "every byte of the last copy is that of its source"};
  return {Result::wrong,
          "word " + std::to_string(*wrong) + " copied to the " + target + " is not that of its source"};
}

}  // namespace assay::offload
