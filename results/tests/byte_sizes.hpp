// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Message sizes of made-up records, bytes.
#pragma once

#include <cstdint>

namespace assay::results {

inline constexpr std::int64_t kib = 1 << 10, mib = 1 << 20, gib = 1 << 30;

}  // namespace assay::results
