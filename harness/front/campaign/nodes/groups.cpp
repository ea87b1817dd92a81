// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/nodes/groups.hpp"

#include <algorithm>

namespace assay::campaign {
namespace {

std::vector<Group> chunks(const std::vector<std::string>& nodes, std::size_t size) {
  std::vector<Group> groups;
  for (std::size_t begin = 0; size > 0 && begin + size <= nodes.size(); begin += size)
    groups.emplace_back(nodes.begin() + static_cast<std::ptrdiff_t>(begin),
                        nodes.begin() + static_cast<std::ptrdiff_t>(begin + size));
  return groups;
}

Group sorted_pair(const std::string& one, const std::string& other) {
  return {std::min(one, other), std::max(one, other)};
}

}  // namespace

std::vector<Group> tournament_round(const std::vector<std::string>& nodes, std::size_t round) {
  const std::size_t seats = nodes.size() + nodes.size() % 2;  // the last is empty where the number is odd
  if (nodes.size() < 2) return {};
  // The last seat stands still, the others move on by one each round.
  const auto at = [&](std::size_t seat) { return seat == seats - 1 ? seat : (seat + round) % (seats - 1); };
  std::vector<Group> pairs;
  for (std::size_t i = 0; i < seats / 2; ++i) {
    const std::size_t one = at(i), other = at(seats - 1 - i);
    if (std::max(one, other) < nodes.size())
      pairs.push_back({nodes[std::min(one, other)], nodes[std::max(one, other)]});
  }
  return pairs;
}

std::vector<std::vector<Group>> groups_of(const Stage& stage, const std::vector<std::string>& nodes) {
  std::vector<std::vector<Group>> rounds;
  if (nodes.size() < 2) return rounds;
  switch (stage.grouping) {
    case Grouping::pairs: {
      const std::size_t all = nodes.size() - 1 + nodes.size() % 2;
      for (std::size_t round = 0; round < std::min<std::size_t>(static_cast<std::size_t>(stage.rounds), all);
           ++round)
        rounds.push_back(tournament_round(nodes, round));
      break;
    }
    case Grouping::groups:
      rounds.push_back(chunks(nodes, static_cast<std::size_t>(stage.size)));
      break;
    case Grouping::halves:
      if (nodes.size() >= 4) rounds.push_back(chunks(nodes, nodes.size() / 2));
      break;
    case Grouping::whole:
      rounds.push_back({nodes});
      break;
  }
  std::erase_if(rounds, [](const std::vector<Group>& groups) { return groups.empty(); });
  return rounds;
}

bool is_measured_again(const Stage& stage) {
  if (stage.kind == StageKind::fabric) return stage.grouping == Grouping::pairs;
  return stage.kind == StageKind::nodes && !stage.work.plan.empty() && !stage.work.is_burn_in();
}

std::vector<std::vector<Group>> retest_groups_of(const Stage& stage, const std::vector<std::string>& suspects,
                                                 const std::vector<std::string>& partners) {
  if (stage.grouping != Grouping::pairs) return {};
  if (partners.size() <= suspects.size()) {
    std::vector<std::string> all = suspects;
    all.insert(all.end(), partners.begin(), partners.end());
    return groups_of(stage, all);
  }
  std::vector<std::vector<Group>> rounds(std::min(static_cast<std::size_t>(stage.rounds), partners.size()));
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    const auto partner = [&](std::size_t at) { return partners[(at + round) % partners.size()]; };
    for (std::size_t i = 0; i < suspects.size(); ++i)
      rounds[round].push_back(sorted_pair(suspects[i], partner(i)));
    for (std::size_t i = suspects.size(); i + 1 < partners.size(); i += 2)
      rounds[round].push_back(sorted_pair(partner(i), partner(i + 1)));
  }
  return rounds;
}

}  // namespace assay::campaign
