// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A fixed crew of threads, each bound to one CPU by hwloc, that start a piece of work on a common edge.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace assay::host {

class PinnedThreads {
 public:
  /// One thread per entry of `cpus` (logical CPU numbers); the calling thread acts as the first of them and
  /// is bound too until destruction, which must happen on that thread. Throws core::Error when a binding is
  /// refused. Threads that a library starts from the calling thread meanwhile inherit its binding to one CPU.
  explicit PinnedThreads(const std::vector<int>& cpus);
  ~PinnedThreads();
  PinnedThreads(const PinnedThreads&) = delete;
  PinnedThreads& operator=(const PinnedThreads&) = delete;

  int size() const;

  /// Runs body(rank) on every thread at once; returns the seconds from the common start edge until the
  /// slowest ends. What a body throws is thrown again here, the lowest rank's first, after all have ended.
  double run(const std::function<void(int rank)>& body);

 private:
  struct Crew;
  std::unique_ptr<Crew> crew_;
};

/// `count` CPUs of NUMA node `node` (-1: any), one per core before any second hardware thread.
/// Throws a usage Error when the node does not exist or has fewer that this process may use.
std::vector<int> choose_cpus(int count, int node);

/// For a record: "0,2".
std::string cpu_list(const std::vector<int>& cpus);

}  // namespace assay::host
