// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// n ranks as threads, for tests.
#pragma once

#include <functional>
#include <thread>
#include <vector>

#include "collectives/transport/transport.hpp"

namespace assay::collectives {

inline void run_ranks(int n, const std::function<void(int rank, Transport&)>& body, double limit_s = 60) {
  const auto transports = make_thread_transports(n, limit_s);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < n; ++rank)
    threads.emplace_back([&, rank] { body(rank, *transports[static_cast<std::size_t>(rank)]); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace assay::collectives
