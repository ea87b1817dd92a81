// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/routes/judged_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/front/answers/verdict_word.hpp"

namespace assay::answers {

std::uint64_t quantile_of(const std::vector<std::uint64_t>& sorted, double share) {
  return sorted[static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)))];
}

std::optional<bool> JudgedRoutes::holds() const {
  if (!faults.empty()) return false;
  const bool has_cycle = lanes ? !lanes->cycle.empty() : !judged.cycle.empty();
  return has_cycle ? std::nullopt : std::optional(true);
}

std::string JudgedRoutes::verdict() const { return verdict_word(holds()); }

std::size_t JudgedRoutes::worst_by() const {
  return judged.shifts.empty()
             ? 0
             : 1 + static_cast<std::size_t>(std::ranges::max_element(judged.shifts) - judged.shifts.begin());
}

std::vector<std::string> JudgedRoutes::cycle_names() const {
  std::vector<std::string> names;
  if (lanes)
    for (const model::fabric::routes::Lane& one : lanes->cycle)
      names.push_back(fmt::format("{} VL {}", topology.name_of_link(one.link), one.lane));
  else
    for (const model::fabric::LinkId link : judged.cycle) names.push_back(topology.name_of_link(link));
  return names;
}

const model::fabric::routes::LostCable* JudgedRoutes::cuts_most() const {
  const auto most = std::ranges::max_element(lost, {}, &model::fabric::routes::LostCable::pairs);
  return most == lost.end() ? nullptr : &*most;
}

}  // namespace assay::answers
