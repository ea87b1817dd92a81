// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/link_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/core/names.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {

LinkState link_state(const std::vector<LinkReport>& links) {
  if (links.empty()) return {LinkClass::unknown, "the record names no class"};
  const LinkReport& worst = *std::ranges::max_element(links, {}, &LinkReport::link_class);
  std::set<std::string> descriptions;
  for (const LinkReport& link : links) descriptions.insert(describe(link));
  LinkState state{worst.link_class, reasons(worst)};
  // Ranks that all report the same need no name.
  if (descriptions.size() < 2 || worst.link_class == LinkClass::clean) return state;
  const auto more = std::ranges::count(links, worst.link_class, &LinkReport::link_class) - 1;
  state.why = fmt::format("rank {}: {}", worst.rank, state.why);
  if (more > 0)
    state.why +=
        fmt::format("; {} more {} {}", more, more == 1 ? "rank" : "ranks", to_string(worst.link_class));
  return state;
}

std::map<int, std::string> hosts_by_rank(const Fields& conditions, const std::vector<RankReport>& ranks) {
  std::map<int, std::string> hosts;
  const auto add = [&](int rank, const Fields& facts) {
    if (const std::string host = field_text(facts, {core::names::host}); !host.empty()) hosts[rank] = host;
  };
  add(0, conditions);
  for (const RankReport& one : ranks) add(one.rank, one.facts);
  return hosts;
}

}  // namespace assay::results
