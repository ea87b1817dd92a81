// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One task for every hash seed, shared among threads.
#pragma once

#include <cstdint>
#include <functional>

namespace assay::model::fabric {

/// `work(at, threads)` for at = 0 to count - 1, with the threads that it may use itself. Throws what the
/// first of the failed ones threw.
void for_each_seed(std::uint32_t count, unsigned threads,
                   const std::function<void(std::uint32_t at, unsigned threads)>& work);

}  // namespace assay::model::fabric
