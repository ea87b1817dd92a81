// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The same work on many things, on all processors.
#pragma once

#include <cstddef>
#include <functional>

namespace assay::core {

/// Calls work(0) to work(count - 1) on as many threads as there are processors. A thread takes `in_turn` of
/// them at a time: so many are worth a thread. Throws what one call throws after all threads have ended; the
/// thread of that call makes no more calls.
void side_by_side(std::size_t count, const std::function<void(std::size_t)>& work, std::size_t in_turn = 1);

}  // namespace assay::core
