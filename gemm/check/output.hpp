// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Facts of an output that a check needs: a digest of its bits and a checksum a row, both sums modulo 2^64 and
// so independent of the order in which elements are visited. The same arithmetic on host and device.
#pragma once

#include <cstdint>

#include "gemm/operand.hpp"
#include "harness/integrity/checksums.hpp"
#include "harness/integrity/digest.hpp"

namespace assay::gemm {

using integrity::ChecksumTerm;
using integrity::column_weight;
using integrity::Digest;
using integrity::digest_term;

/// The term that one element adds to its row's checksum.
constexpr ChecksumTerm checksum_term(double value, std::uint64_t column) {
  return integrity::weighted(value, column_weight(column));
}

}  // namespace assay::gemm
