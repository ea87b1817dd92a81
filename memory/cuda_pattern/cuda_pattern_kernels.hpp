// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Launches of the memory pattern test. Every word holds a hash of its own address and of the round's seed, or
// the inverse of that: a word that lands at a wrong address, or does not change, is seen.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "memory/cuda/cuda_formula.hpp"

namespace assay::memory {

/// A piece of device memory, aligned to 16 bytes; `words` 8-byte words, an even number.
struct PatternPiece {
  std::uint64_t* data = nullptr;
  std::uint64_t words = 0;
};

/// Writes the pattern, from the first word up.
cudaError_t launch_pattern_fill(PatternPiece piece, std::uint64_t seed, int blocks, cudaStream_t stream);
/// Logs words that are not the pattern, and writes its inverse, from the first word up.
cudaError_t launch_pattern_invert(PatternPiece piece, std::uint64_t seed, MismatchLog* log, int blocks,
                                  cudaStream_t stream);
/// Logs words that are not the inverse, from the last word down.
cudaError_t launch_pattern_verify(PatternPiece piece, std::uint64_t seed, MismatchLog* log, int blocks,
                                  cudaStream_t stream);
/// Flips `bits` of one word: a fault that the test must find.
cudaError_t launch_pattern_fault(std::uint64_t* word, std::uint64_t bits, cudaStream_t stream);

}  // namespace assay::memory
