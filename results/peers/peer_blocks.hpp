// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Lines of one host divided into runs of tools.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "results/peers/reader.hpp"

namespace assay::results::peers {

struct BlockExtent {
  const Reader* reader = nullptr;
  std::size_t begin = 0, end = 0;  // lines
};

struct BlockExtents {
  std::vector<BlockExtent> blocks;
  long lines_outside = 0;  // that are not empty, or rules of dashes
};

/// `kind`: of the readers that may be used; "auto": all.
BlockExtents blocks_among(Lines lines, std::string_view kind);
/// Whether there is one at least.
bool has_block(Lines lines, std::string_view kind);

}  // namespace assay::results::peers
