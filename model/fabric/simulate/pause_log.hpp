// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Links that pauses held back at some time; a host's own link where they reached the host. And how often
// occupancy sharing did not settle.
#pragma once

#include <atomic>
#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

/// Solutions of occupancy sharing: of all, and those whose rounds ended before rates settled.
struct Settling {
  std::size_t solutions = 0, unsettled = 0;

  Settling& operator+=(const Settling& more) {
    solutions += more.solutions;
    unsettled += more.unsettled;
    return *this;
  }
};

class PauseLog {
 public:
  explicit PauseLog(std::size_t links) : paused_(links) {}

  /// Called by several threads at once. Ignores numbers beyond the links, as of processors.
  void note(LinkId link) {
    if (link < paused_.size()) paused_[link].store(true, std::memory_order_relaxed);
  }
  /// As note().
  void note_solution(bool settled) {
    ++solutions_;
    if (!settled) ++unsettled_;
  }
  Settling settling() const { return {solutions_, unsettled_}; }
  /// Rising numbers.
  std::vector<LinkId> links() const {
    std::vector<LinkId> links;
    for (LinkId link = 0; link < paused_.size(); ++link)
      if (paused_[link].load(std::memory_order_relaxed)) links.push_back(link);
    return links;
  }

 private:
  std::vector<std::atomic<bool>> paused_;
  std::atomic<std::size_t> solutions_ = 0, unsettled_ = 0;
};

}  // namespace assay::model::fabric
