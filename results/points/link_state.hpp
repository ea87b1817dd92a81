// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The class that the counters of all ranks gave the link of a point, and why.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/record.hpp"

namespace assay::results {

struct LinkState {
  LinkClass link_class = LinkClass::unknown;
  std::string why;  // "rank 1: mlx5_0 out_of_sequence +12 (...)"
};

/// The worst of all ranks; unknown where there are none.
LinkState link_state(const std::vector<LinkReport>& links);

/// Why these cannot be the links of a point of `ranks` ranks (0: unknown), in one line; empty where they can:
/// each rank has one, and none is called better than its counters say.
std::string link_contradiction(const std::vector<LinkReport>& links, std::int64_t ranks);

/// The host of each rank: of rank 0 as the point's conditions name it, of the others as their reports do.
std::map<int, std::string> hosts_by_rank(const Fields& conditions, const std::vector<RankReport>& ranks);

/// "10.1.0.7" of "10.1.0.7 (RoCE v2, index 3)": the address that switches read; empty of other GIDs.
std::string address_of_gid(std::string_view gid);

}  // namespace assay::results
