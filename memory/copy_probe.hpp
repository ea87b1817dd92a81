// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Findings of a corruption probe of copies, on host or GPU, and the verdict on them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/measure/axis.hpp"
#include "harness/core/measure/benchmark.hpp"
#include "harness/integrity/detection.hpp"
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

/// Axes of the faults that the self-tests of this module's corruption probes plant, on host and GPU: words
/// (default: this many), faults, seed.
std::vector<core::Axis> self_test_axes(std::int64_t words);
/// 8-byte words that faults are planted in, a multiple of 16. Throws a usage Error unless 16 <= words <=
/// 2^27.
std::uint64_t words_of(const core::Point& point);

/// A log by byte offset as one by position of 8-byte words, as faults are reported.
integrity::MismatchLog in_words(integrity::MismatchLog log);

}  // namespace assay::memory
