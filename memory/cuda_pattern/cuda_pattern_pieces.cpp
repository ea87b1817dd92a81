// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cuda_pattern/cuda_pattern_pieces.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"

namespace assay::memory {

std::int64_t asked_bytes(std::int64_t free_bytes, std::int64_t percent) {
  if (percent < 1 || percent > 100)
    core::usage_error(fmt::format("fraction_percent={}: expected 1 to 100", percent));
  return free_bytes / 100 * percent / smallest_piece * smallest_piece;
}

std::int64_t gather_pieces(std::int64_t asked, const std::function<bool(std::int64_t bytes)>& take) {
  std::int64_t obtained = 0;
  std::int64_t piece = largest_piece;
  while (obtained < asked) {
    const std::int64_t wanted = std::min(piece, asked - obtained);
    if (take(wanted)) {
      obtained += wanted;
    } else if (wanted <= smallest_piece) {
      break;
    } else {
      piece = std::max(smallest_piece, wanted / 2 / smallest_piece * smallest_piece);
    }
  }
  return obtained;
}

}  // namespace assay::memory
