// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Uneven blocks of an all-to-all, drawn by a seed: the same block whenever it is asked for.
#pragma once

#include "model/fabric/phases.hpp"

namespace assay::model::fabric {

/// Each block by itself: exponential, with the mean that equal blocks of `size.bytes` have.
BlockBytes exponential_blocks(PatternSize size, std::uint64_t seed);

/// Every rank sends `size.bytes`, its own block included. The k-th most popular receiver gets 1/k of what the
/// first one gets (Zipf's law with exponent 1); which receiver that is, the seed draws for all senders.
BlockBytes zipf_blocks(PatternSize size, std::uint64_t seed);

}  // namespace assay::model::fabric
