// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <libdeflate.h>

#include "results/record/crc32.hpp"

namespace assay::results {

std::uint32_t crc32_of(std::string_view text) { return ::libdeflate_crc32(0, text.data(), text.size()); }

}  // namespace assay::results
