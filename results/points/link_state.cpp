// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/link_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/core/names.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

bool has_moved(const core::CounterReport& counter) {
  using Outcome = core::CounterReport::Outcome;
  return counter.outcome == Outcome::moved || counter.outcome == Outcome::moved_at_least;
}

LinkClass worst_that_moved(const LinkReport& link) {
  LinkClass worst = LinkClass::clean;
  for (const core::CounterReport& counter : link.counters)
    if (has_moved(counter)) worst = std::max(worst, counter.speaks_for);
  return worst;
}

}  // namespace

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

std::string link_contradiction(const std::vector<LinkReport>& links, std::int64_t ranks) {
  std::set<int> seen;
  for (const LinkReport& link : links) {
    if (!seen.insert(link.rank).second) return fmt::format("its record has two links of rank {}", link.rank);
    if (ranks > 0 && link.rank >= ranks)
      return fmt::format("its record has a link of rank {}, and {} ranks ran", link.rank, ranks);
    if (const LinkClass worst = worst_that_moved(link); link.link_class < worst)
      return fmt::format("its record calls the link of rank {} {}, and its counters say {}", link.rank,
                         to_string(link.link_class), to_string(worst));
    if (link.link_class == LinkClass::clean && link.watched == 0)
      return fmt::format("its record calls the link of rank {} clean, and no counter of it was read",
                         link.rank);
  }
  for (int rank = 0; rank < ranks; ++rank)
    if (!seen.contains(rank)) return fmt::format("its record has no link of rank {}", rank);
  return "";
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

std::string address_of_gid(std::string_view gid) {
  const std::size_t end = gid.find(' ');
  return end != std::string_view::npos && gid.substr(end).starts_with(" (RoCE v2,")
             ? std::string(gid.substr(0, end))
             : "";
}

}  // namespace assay::results
