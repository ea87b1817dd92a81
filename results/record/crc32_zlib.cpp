// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include "results/record/crc32.hpp"

namespace assay::results {

std::uint32_t crc32_of(std::string_view text) {
  return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

}  // namespace assay::results
