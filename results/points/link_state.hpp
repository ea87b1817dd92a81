// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The class that the counters of all ranks gave the link of a point, and why.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "results/record/record.hpp"

namespace assay::results {

/// In ascending gravity, as the module orders them: that counters could not tell is worse than congestion
/// they did see, and not as bad as loss they saw.
enum class LinkClass { clean, congested, unknown, lossy, faulty };

struct LinkState {
  LinkClass link_class = LinkClass::unknown;
  std::string why;  // "rank 1: mlx5_0 out_of_sequence +12 (...)"
};

/// The worst of all ranks that the conditions name; unknown where they name none.
LinkState link_state(const Fields& conditions);
LinkClass link_class_from(const std::string& word);  // unknown where it is none
std::string to_string(LinkClass link_class);
/// A condition as each rank reports it: "link_class" of rank 0, "rank3_link_class" of rank 3.
std::map<int, std::string> values_by_rank(const Fields& conditions, std::string_view name);

}  // namespace assay::results
