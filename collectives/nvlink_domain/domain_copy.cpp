// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nvlink_domain/domain_copy.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::collectives {

bool DomainPlan::has_source() const {
  return pattern == DomainPattern::pair || pattern == DomainPattern::both_ways ||
         pattern == DomainPattern::one_to_all;
}

bool DomainPlan::has_target() const {
  return pattern == DomainPattern::pair || pattern == DomainPattern::both_ways ||
         pattern == DomainPattern::all_to_one;
}

std::optional<std::string> no_such_pattern(const DomainPlan& plan) {
  if (plan.ranks < 2) return "one rank has none to copy to: --ranks 2 or more";
  if (plan.has_source() && plan.from >= plan.ranks)
    return fmt::format("from={}: there are ranks 0 to {}", plan.from, plan.ranks - 1);
  if (plan.has_target() && plan.to >= plan.ranks)
    return fmt::format("to={}: there are ranks 0 to {}", plan.to, plan.ranks - 1);
  if (plan.has_source() && plan.has_target() && plan.from == plan.to)
    return fmt::format("from={}, to={}: a rank is not a peer of itself", plan.from, plan.to);
  if (plan.pattern == DomainPattern::halves && plan.ranks % 2 != 0)
    return fmt::format("pattern=halves: {} ranks have no two halves", plan.ranks);
  constexpr std::int64_t step = 16;
  if (plan.by_kernel && plan.bytes % step != 0)
    return fmt::format("bytes={}: a kernel copies multiples of {}", plan.bytes, step);
  return std::nullopt;
}

std::vector<DomainCopy> copies_of(const DomainPlan& plan) {
  std::vector<DomainCopy> copies;
  const auto add = [&](int from, int to) { copies.push_back({from, to, arrivals_at(to, copies)}); };
  const int n = plan.ranks;
  switch (plan.pattern) {
    case DomainPattern::both_ways:
      add(plan.from, plan.to);
      add(plan.to, plan.from);
      break;
    case DomainPattern::ring:
      for (int rank = 0; rank < n; ++rank) add(rank, (rank + 1) % n);
      break;
    case DomainPattern::halves:
      for (int rank = 0; rank < n; ++rank) add(rank, (rank + n / 2) % n);
      break;
    case DomainPattern::one_to_all:
      for (int rank = 0; rank < n; ++rank)
        if (rank != plan.from) add(plan.from, rank);
      break;
    case DomainPattern::all_to_one:
      for (int rank = 0; rank < n; ++rank)
        if (rank != plan.to) add(rank, plan.to);
      break;
    default:
      add(plan.from, plan.to);
  }
  return copies;
}

int arrivals_at(int rank, const std::vector<DomainCopy>& copies) {
  return static_cast<int>(std::ranges::count(copies, rank, &DomainCopy::to));
}

}  // namespace assay::collectives
