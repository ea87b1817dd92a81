// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/each_seed.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace assay::model::fabric {

void for_each_seed(std::uint32_t count, unsigned threads,
                   const std::function<void(std::uint32_t at, unsigned threads)>& work) {
  const unsigned workers = std::max(1U, std::min(threads, count));
  std::vector<std::exception_ptr> failures(count);
  const auto run = [&](unsigned own) {
    for (std::uint32_t at = own; at < count; at += workers) {
      try {
        work(at, std::max(1U, threads / workers));
      } catch (...) {
        failures[at] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned own = 1; own < workers; ++own) others.emplace_back(run, own);
    run(0);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace assay::model::fabric
