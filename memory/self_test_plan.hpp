// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the self-tests of this module's corruption probes plant, on host and GPU.
#pragma once

#include <vector>

#include "harness/core/axis.hpp"
#include "harness/integrity/detection.hpp"
#include "harness/integrity/mismatch.hpp"

namespace assay::memory {

/// words (default: this many), faults, seed.
std::vector<core::Axis> self_test_axes(std::int64_t words);
/// 8-byte words that faults are planted in, a multiple of 16. Throws a usage Error unless 16 <= words <=
/// 2^27.
std::uint64_t words_of(const core::Point& point);

/// A log by byte offset as one by position of 8-byte words, as faults are told.
integrity::MismatchLog in_words(integrity::MismatchLog log);

}  // namespace assay::memory
