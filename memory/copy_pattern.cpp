// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/copy_pattern.hpp"

namespace assay::memory {

void write_pattern(std::span<std::uint64_t> words, std::uint64_t offset, std::uint64_t round) {
  for (std::uint64_t& word : words) {
    word = copied_word(offset, round);
    offset += sizeof word;
  }
}

void compare_pattern(std::span<const std::uint64_t> words, std::uint64_t offset, std::uint64_t round,
                     integrity::MismatchLog& log) {
  for (const std::uint64_t& word : words) {
    if (const std::uint64_t expected = copied_word(offset, round); word != expected)
      integrity::note(log, offset, expected, word);
    offset += sizeof word;
  }
}

integrity::Digest digest_of(std::span<const std::uint64_t> words, std::uint64_t offset) {
  integrity::Digest digest;
  for (const std::uint64_t& word : words) {
    digest += integrity::digest_term(offset, word);
    offset += sizeof word;
  }
  return digest;
}

}  // namespace assay::memory
