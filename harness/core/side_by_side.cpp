// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/side_by_side.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

namespace assay::core {

void side_by_side(std::size_t count, const std::function<void(std::size_t)>& work, std::size_t in_turn) {
  const std::size_t turns = (count + in_turn - 1) / in_turn;
  const std::size_t threads = std::min<std::size_t>(turns, std::max(1U, std::thread::hardware_concurrency()));
  std::atomic<std::size_t> next = 0;
  const auto take_in_turn = [&] {
    for (std::size_t from; (from = next.fetch_add(in_turn)) < count;)
      for (std::size_t at = from; at < std::min(from + in_turn, count); ++at) work(at);
  };
  std::vector<std::future<void>> others;
  try {
    for (std::size_t thread = 1; thread < threads; ++thread)
      others.push_back(std::async(std::launch::async, take_in_turn));
  } catch (const std::system_error&) {
    // No more threads: fewer do the same work.
  }
  take_in_turn();
  for (std::future<void>& other : others) other.get();
}

}  // namespace assay::core
