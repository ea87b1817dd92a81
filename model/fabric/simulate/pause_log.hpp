// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Links that pauses held back at some time; a host's own link where they reached the host.
#pragma once

#include <atomic>
#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

class PauseLog {
 public:
  explicit PauseLog(std::size_t links) : paused_(links) {}

  /// By several threads at once. Numbers beyond the links, as of processors, are none.
  void note(LinkId link) {
    if (link < paused_.size()) paused_[link].store(true, std::memory_order_relaxed);
  }
  /// Rising numbers.
  std::vector<LinkId> links() const {
    std::vector<LinkId> links;
    for (LinkId link = 0; link < paused_.size(); ++link)
      if (paused_[link].load(std::memory_order_relaxed)) links.push_back(link);
    return links;
  }

 private:
  std::vector<std::atomic<bool>> paused_;
};

}  // namespace assay::model::fabric
