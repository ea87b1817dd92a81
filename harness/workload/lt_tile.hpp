// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The meaning of cuBLASLt's tile numbers, and how a product is cut into tiles.
#pragma once

#include <cstdint>
#include <optional>

namespace assay::workload {

/// Tiles of rows x columns of a row-major result, the sums in `splits` parts.
struct Tiling {
  std::int64_t rows = 0, columns = 0, splits = 1;
};

/// Blocks of work of an m x n result. All positive.
constexpr std::int64_t tiles(std::int64_t m, std::int64_t n, const Tiling& tiling) {
  return ((m + tiling.rows - 1) / tiling.rows) * ((n + tiling.columns - 1) / tiling.columns) * tiling.splits;
}

struct LtTile {
  int rows = 0, columns = 0;  // of the column-major result, as the library's names say
  bool operator==(const LtTile&) const = default;
};

/// The tile of CUBLASLT_MATMUL_TILE_* number `id`; empty for the undefined one and for numbers beyond those
/// of cublasLt.h 13.
std::optional<LtTile> lt_tile(int id);

}  // namespace assay::workload
