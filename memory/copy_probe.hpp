// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a corruption probe of copies found, on host or GPU, and what that means.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/integrity/mismatch.hpp"

namespace assay::memory {

struct CopiesFound {
  std::int64_t rounds = 0;           // each written, copied, and compared word by word
  std::int64_t bytes_per_round = 0;  // compared
  integrity::MismatchLog wrong;      // by byte offset
  std::string digest = {};           // of a round that is the same in every run
};

/// right: "R rounds: all B bytes read back as written"; wrong: how many words, the first offset, expected,
/// got and xor.
core::Verification judge_copies(const CopiesFound& found);
/// verified_bytes and wrong_elements (words of 8 bytes), over all rounds.
std::vector<core::Metric> copies_metrics(const CopiesFound& found);
/// rounds, and the first wrong words.
std::vector<core::Fact> copies_facts(const CopiesFound& found);

/// "offset 0x1008: expected 0xff00, got 0xff05, xor 0x5"
std::string describe_word(const integrity::Mismatch& wrong);

}  // namespace assay::memory
