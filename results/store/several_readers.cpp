// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/several_readers.hpp"

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

namespace assay::results {

void with_several_readers(const Store& store, std::size_t most,
                          const std::function<void(const Store&)>& read) {
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t readers = store.path().empty() ? 1 : std::min(most, processors);
  std::vector<std::future<void>> others;
  for (std::size_t reader = 1; reader < readers; ++reader)
    others.push_back(std::async(std::launch::async,
                                [&read, path = store.path()] { read(Store(path, StoreMode::existing)); }));
  read(store);
  for (std::future<void>& other : others) other.get();
}

}  // namespace assay::results
