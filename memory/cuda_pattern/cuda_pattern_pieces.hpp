// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How the memory under test is gathered: pieces of falling size until the share asked for is held or nothing
// more is given. What was not got is counted, so that it can never pass for tested.
#pragma once

#include <cstdint>
#include <functional>

namespace assay::memory {

inline constexpr std::int64_t largest_piece = std::int64_t{1} << 30;
inline constexpr std::int64_t smallest_piece = std::int64_t{2} << 20;  // what the driver hands out at least

/// percent of free_bytes, rounded down to whole smallest pieces. Throws a usage Error unless 1 <= percent <=
/// 100.
std::int64_t asked_bytes(std::int64_t free_bytes, std::int64_t percent);

/// Calls `take(bytes)` until pieces of `asked` bytes together were given; a refusal (false) halves the piece,
/// and the refusal of the smallest one ends it. Returns the bytes obtained.
std::int64_t gather_pieces(std::int64_t asked, const std::function<bool(std::int64_t bytes)>& take);

}  // namespace assay::memory
