// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The random draw behind every ideal hash: the same uplinks for a seed on every machine.
#pragma once

#include <cstdint>
#include <random>

namespace assay::rdma {

/// 0 to uplinks - 1, uplinks at most 2^20. Not std::uniform_int_distribution: its values differ between
/// standard libraries. The bias of multiply and shift stays below 2^-12.
inline int draw_uplink(std::mt19937_64& random, int uplinks) {
  return static_cast<int>(((random() >> 32U) * static_cast<std::uint64_t>(uplinks)) >> 32U);
}

}  // namespace assay::rdma
