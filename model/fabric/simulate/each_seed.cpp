// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/each_seed.hpp"

#include <algorithm>

#include "harness/core/process/side_by_side.hpp"

namespace assay::model::fabric {

void for_each_seed(std::uint32_t count, unsigned threads,
                   const std::function<void(std::uint32_t at, unsigned threads)>& work) {
  const unsigned workers = std::max(1U, std::min(threads, count));
  const unsigned own_threads = std::max(1U, threads / workers);
  core::side_by_side(count, [&](std::size_t at) { work(static_cast<std::uint32_t>(at), own_threads); },
                     {.most = workers});
}

}  // namespace assay::model::fabric
