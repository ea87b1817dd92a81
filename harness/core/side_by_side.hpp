// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The same work on many things, on all processors.
#pragma once

#include <cstddef>
#include <functional>

namespace assay::core {

/// Calls work(0) to work(count - 1), each once and in any order, on one thread for each processor: this one
/// and others. Throws what one of them throws, after all have ended.
void side_by_side(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace assay::core
