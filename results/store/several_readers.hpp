// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One store read by several processors.
#pragma once

#include <cstddef>
#include <functional>

#include "results/store/store.hpp"

namespace assay::results {

/// Runs `read` on as many threads as there are processors, at most `most` and at most 8: on this one with the
/// store itself, on each other with a connection and a read lock of its own; on this one only where the store
/// has no file. Throws what one of them throws, after all have ended.
void with_several_readers(const Store& store, std::size_t most,
                          const std::function<void(const Store&)>& read);

}  // namespace assay::results
