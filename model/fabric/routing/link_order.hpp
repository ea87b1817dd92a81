// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Links in the order in which flows cross them; or the cycle of buffers that prevents one.
#pragma once

#include <vector>

#include "model/fabric/routing/paths.hpp"

namespace assay::model::fabric {

struct LinkOrder {
  /// The rank of each link: every path crosses links of rising rank. Meaningless where there is a cycle.
  std::vector<std::uint32_t> rank;
  /// The depth of each link: the most links of paths that are before it, one feeding the next. Rises with
  /// rank; links of one depth never feed each other.
  std::vector<std::uint32_t> depth;
  /// Links whose buffers wait for one another, each for the next and the last for the first: a possible
  /// deadlock under priority flow control (Hu et al. 2016, "Deadlocks in datacenter networks"). Empty in a
  /// sound fabric.
  std::vector<LinkId> cycle;
};

/// Time: the sum of path lengths times its logarithm.
LinkOrder order_of_links(const Paths& paths, std::size_t links);

}  // namespace assay::model::fabric
