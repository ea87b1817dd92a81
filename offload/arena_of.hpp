// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Memory of this module's host cases: huge pages where the system has them.
#pragma once

#include <cstdint>

#include "harness/host/arena.hpp"

namespace assay::offload {

/// `node` -1: wherever the first touch falls.
inline host::Arena arena_of(std::int64_t bytes, int node = -1) {
  return {static_cast<std::size_t>(bytes), node, host::Pages::transparent};
}

}  // namespace assay::offload
