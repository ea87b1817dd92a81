// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Waits for states that nothing announces: of other processes, of threads in the kernel, of files. A test
// waits for an event (a pipe, a future, a process's end) where there is one, and nowhere for a time.
#pragma once

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace assay::core::tests {

/// Looks until `condition` holds, for at most `limit_s`; returns whether it held.
template <class Condition>
bool eventually(Condition condition, double limit_s = 60) {
  const auto begin = std::chrono::steady_clock::now();
  while (!condition()) {
    if (std::chrono::steady_clock::now() - begin > std::chrono::duration<double>(limit_s)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// A letter of proc(5): 'S' of a thread that waits in the kernel, 'R' of one that works, 'T' of one that is
/// stopped; 0 of one that ended.
inline char state_of_thread(pid_t thread, pid_t process = getpid()) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/stat");
  std::string line;
  std::getline(stat, line);
  const std::size_t name_ends = line.rfind(") ");
  return name_ends == std::string::npos ? '\0' : line[name_ends + 2];
}

/// Looks until this thread, whoever's it is, waits in the kernel for something: in a call that does not come
/// back.
inline bool eventually_waits(pid_t thread, pid_t process = getpid()) {
  return eventually([=] { return state_of_thread(thread, process) == 'S'; });
}

/// Threads of this process; one that was joined may be among them for a moment.
inline std::ptrdiff_t count_threads() {
  std::filesystem::directory_iterator first("/proc/self/task");
  return std::distance(first, std::filesystem::directory_iterator());
}

/// Works for this long, as code under measurement does: the thread never waits.
inline void work_for(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) continue;
}

}  // namespace assay::core::tests
