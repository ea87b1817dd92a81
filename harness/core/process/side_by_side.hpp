// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Work shared among threads. Every function here throws, once all its threads have ended, what the least of
// the failed calls threw.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>

namespace assay::core {

struct Threads {
  unsigned most = 0;        // 0: as many as there are processors
  std::size_t in_turn = 1;  // calls that are worth a thread's turn
};

/// Calls work(at, thread) for each `at` below `count`, in rising order; threads are numbered from 0, the
/// caller's. A thread whose call throws makes no more calls. Fewer threads do it where the system gives no
/// more.
void side_by_side(std::size_t count, const std::function<void(std::size_t at, unsigned thread)>& work,
                  Threads threads = {});

template <std::invocable<std::size_t> Work>
void side_by_side(std::size_t count, const Work& work, Threads threads = {}) {
  side_by_side(count,
               std::function<void(std::size_t, unsigned)>([&work](std::size_t at, unsigned) { work(at); }),
               threads);
}

/// Calls work(0) to work(count - 1) at once, each on a thread of its own, the first on the caller's. Throws
/// std::system_error where the system gives no more threads, too.
void at_once(std::size_t count, const std::function<void(std::size_t at)>& work);

}  // namespace assay::core
