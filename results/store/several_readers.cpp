// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/several_readers.hpp"

#include <algorithm>
#include <thread>

#include "harness/core/process/side_by_side.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {
namespace {

constexpr std::size_t most_readers = 8;  // each holds what it reads

}  // namespace

void with_several_readers(const Store& store, std::size_t most,
                          const std::function<void(const Store&)>& read) {
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t readers = store.path().empty() ? 1 : std::min({most, processors, most_readers});
  core::at_once(readers, [&](std::size_t reader) {
    if (reader == 0) return read(store);
    const Store own(store.path(), StoreMode::existing);
    const ReadTransaction one_lock(own.database());
    read(own);
  });
}

}  // namespace assay::results
