// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A matrix of the bytes that each rank sends to each other, from a CSV file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::training {

/// Bytes by sender and receiver.
using BytesMatrix = std::vector<std::vector<std::uint64_t>>;

/// A row for each sender, a number for each receiver, without a header. Throws a usage Error with file and
/// line for what is not a whole number of at least 0, rows of other lengths than the first, another number of
/// rows than of columns, more than most_matrix_ranks, and sums beyond most_row_bytes.
BytesMatrix read_bytes_matrix(const std::string& file);
inline constexpr std::size_t most_matrix_ranks = 4096;
inline constexpr std::uint64_t most_row_bytes = std::uint64_t{1} << 60U;

/// Bytes that the rank which sends most sends to others.
std::uint64_t most_sent(const BytesMatrix& matrix);

}  // namespace assay::training
