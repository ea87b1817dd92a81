// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The links that each flow crosses, in order, from its NIC to the port of its receiver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::model::fabric {

/// A link is one directed egress queue; flows and links are numbered from 0.
using LinkId = std::uint32_t;
using FlowId = std::uint32_t;

/// One row of links a flow, in one array.
class Paths {
 public:
  void append(std::span<const LinkId> path) {
    links_.insert(links_.end(), path.begin(), path.end());
    ends_.push_back(links_.size());
  }

  std::size_t size() const { return ends_.size() - 1; }
  std::span<const LinkId> operator[](std::size_t flow) const {
    return std::span(links_).subspan(ends_[flow], ends_[flow + 1] - ends_[flow]);
  }
  /// The place of a flow's first hop among the hops of all flows.
  std::size_t first_hop(std::size_t flow) const { return ends_[flow]; }
  /// The number of hops of all flows.
  std::size_t hops() const { return links_.size(); }

 private:
  std::vector<LinkId> links_;
  std::vector<std::size_t> ends_{0};
};

}  // namespace assay::model::fabric
