// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/several_readers.hpp"

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

#include "results/store/database.hpp"

namespace assay::results {
namespace {

constexpr std::size_t most_readers = 8;  // each holds what it reads

}  // namespace

void with_several_readers(const Store& store, std::size_t most,
                          const std::function<void(const Store&)>& read) {
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t readers = store.path().empty() ? 1 : std::min({most, processors, most_readers});
  std::vector<std::future<void>> others;
  for (std::size_t reader = 1; reader < readers; ++reader)
    others.push_back(std::async(std::launch::async, [&read, path = store.path()] {
      const Store own(path, StoreMode::existing);
      const ReadTransaction one_lock(own.database());
      read(own);
    }));
  read(store);
  for (std::future<void>& other : others) other.get();
}

}  // namespace assay::results
