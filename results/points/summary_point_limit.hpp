// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::results {

/// Points read for a table that joins points; the table says when a run has more.
inline constexpr std::int64_t summary_point_limit = 10'000;

}  // namespace assay::results
