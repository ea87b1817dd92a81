// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The class that the counters of all ranks gave the link of a point, and why.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/record/record.hpp"

namespace assay::results {

struct LinkState {
  LinkClass link_class = LinkClass::unknown;
  std::string why;  // "rank 1: mlx5_0 out_of_sequence +12 (...)"
};

/// The worst of all ranks; unknown where there are none.
LinkState link_state(const std::vector<LinkReport>& links);

/// Of rank 0 as the point's conditions name it, and of the other ranks.
std::map<int, std::string> hosts_by_rank(const Fields& conditions, const std::vector<RankReport>& ranks);

}  // namespace assay::results
