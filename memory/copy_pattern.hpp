// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The pattern that the corruption probes keep in memory: a hash of offset and round, and its inverse in every
// other round, so that each bit holds both values at every place and a word at a wrong address is seen.
#pragma once

#include <cstdint>
#include <span>

#include "harness/integrity/digest.hpp"
#include "harness/integrity/mismatch.hpp"
#include "memory/cuda/cuda_formula.hpp"

namespace assay::memory {

/// The word at this byte offset in this round.
constexpr std::uint64_t copied_word(std::uint64_t offset, std::uint64_t round) {
  const std::uint64_t word = pattern_word(offset, round / 2);
  return round % 2 == 0 ? word : ~word;
}

/// `offset`: of the first word, in bytes.
void write_pattern(std::span<std::uint64_t> words, std::uint64_t offset, std::uint64_t round);
/// Notes every word that is not the pattern; addresses are byte offsets.
void compare_pattern(std::span<const std::uint64_t> words, std::uint64_t offset, std::uint64_t round,
                     integrity::MismatchLog& log);
integrity::Digest digest_of(std::span<const std::uint64_t> words, std::uint64_t offset);

}  // namespace assay::memory
