// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Host memory latency: one thread follows pointers along a random cycle through every cache line of a
// footprint, so that each load waits for the one before and no prefetcher can guess the next.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/host/arena.hpp"
#include "harness/host/host_site.hpp"

namespace assay::memory {

/// The successor of each of `count` lines along one cycle through all of them, drawn uniformly among such
/// cycles (Sattolo 1986). The same seed gives the same cycle. `count` is at least 1 and below 2^32.
std::vector<std::uint32_t> random_cycle(std::uint32_t count, std::uint64_t seed);

class PointerChase {
 public:
  struct alignas(64) Line {
    Line* next;
  };

  /// Axes: bytes, pages. Throws Error.
  PointerChase(const core::Point& point, host::HostSite& site);

  static core::Work work(const core::Point& point);

  /// Follows `iterations` pointers, from where the last call stopped.
  double enqueue(std::int64_t iterations);
  core::Verification check();
  std::vector<core::Fact> facts() const;

  std::span<Line> lines() const { return arena_.as<Line>().first(count_); }

 private:
  void link();

  host::HostSite& site_;
  std::uint32_t count_;
  host::Arena arena_;
  Line* at_;
  std::int64_t followed_ = 0;
};

}  // namespace assay::memory
