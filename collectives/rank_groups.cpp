// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/rank_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"

namespace assay::collectives {
namespace {

using Groups = std::vector<RankGroup>;

constexpr std::string_view first_word = core::names::first_ranks;

std::vector<std::string_view> cut(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  core::usage_error(fmt::format(
      "groups={}: {}: expected all, first:4, nodes, rails, halves, node_pairs, or ranks as in 0-3|4+6", text,
      why));
}

/// The user's own list.
class Listed {
 public:
  Listed(const std::string& text, int ranks) : text_(text), ranks_(ranks) {}

  Groups groups() const {
    Groups all;
    for (const std::string_view group : cut(text_, '|')) all.push_back(group_from(group));
    return all;
  }

 private:
  RankGroup group_from(std::string_view group) const {
    RankGroup members;
    for (const std::string_view range : cut(group, '+')) {
      const auto ends = cut(range, '-');
      const int first = rank_from(ends.front()), last = rank_from(ends.back());
      if (ends.size() > 2 || last < first) refuse(text_, fmt::format("'{}' is not a range of ranks", range));
      for (int rank = first; rank <= last; ++rank) {
        if (std::ranges::find(members, rank) != members.end())
          refuse(text_, fmt::format("rank {} is twice in a group", rank));
        members.push_back(rank);
      }
    }
    return members;
  }
  int rank_from(std::string_view word) const {
    int rank = 0;
    const char* end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, rank);
    if (word.empty() || read.ec != std::errc() || read.ptr != end)
      refuse(text_, fmt::format("'{}' is not a rank", word));
    if (rank < 0 || rank >= ranks_)
      refuse(text_, fmt::format("there is no rank {}, there are 0 to {}", rank, ranks_ - 1));
    return rank;
  }

  const std::string& text_;
  int ranks_;
};

Groups by_node(int ranks, const std::vector<int>& node_of) {
  std::map<int, RankGroup> nodes;
  for (int rank = 0; rank < ranks; ++rank)
    nodes[node_of.empty() ? 0 : node_of[static_cast<std::size_t>(rank)]].push_back(rank);
  Groups groups;
  for (auto& [node, members] : nodes) groups.push_back(std::move(members));
  return groups;
}

Groups by_place(const Groups& nodes) {
  Groups rails;
  for (const RankGroup& node : nodes)
    for (std::size_t place = 0; place < node.size(); ++place) {
      if (rails.size() <= place) rails.emplace_back();
      rails[place].push_back(node[place]);
    }
  return rails;
}

Groups pairs_of(const Groups& nodes) {
  if (nodes.size() < 2) return nodes;
  Groups pairs;
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (std::size_t b = a + 1; b < nodes.size(); ++b) {
      pairs.push_back(nodes[a]);
      pairs.back().insert(pairs.back().end(), nodes[b].begin(), nodes[b].end());
    }
  return pairs;
}

RankGroup in_a_row(int first, int end) {
  RankGroup group;
  for (int rank = first; rank < end; ++rank) group.push_back(rank);
  return group;
}

/// "4" of "first:4".
Groups first(const std::string& text, int ranks) {
  int count = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + first_word.size(), end, count);
  if (read.ec != std::errc() || read.ptr != end || count < 1)
    refuse(text, fmt::format("'{}' is not a number of ranks", text.substr(first_word.size())));
  return {in_a_row(0, std::min(count, ranks))};
}

Groups halves(int ranks) {
  if (ranks < 2) return {in_a_row(0, ranks)};
  const int middle = (ranks + 1) / 2;
  return {in_a_row(0, middle), in_a_row(middle, ranks)};
}

}  // namespace

std::vector<RankGroup> rank_groups(const std::string& text, int ranks, const std::vector<int>& node_of) {
  if (text == "all") return {in_a_row(0, ranks)};
  if (text.starts_with(first_word)) return first(text, ranks);
  if (text == "halves") return halves(ranks);
  const Groups nodes = by_node(ranks, node_of);
  if (text == "nodes") return nodes;
  if (text == "rails") return by_place(nodes);
  if (text == "node_pairs") return pairs_of(nodes);
  return Listed(text, ranks).groups();
}

int shared_rank(const std::vector<RankGroup>& groups) {
  std::set<int> seen;
  for (const RankGroup& group : groups)
    for (const int rank : group)
      if (!seen.insert(rank).second) return rank;
  return -1;
}

std::string to_text(const RankGroup& group) {
  const bool in_order =
      std::ranges::adjacent_find(group, [](int a, int b) { return b != a + 1; }) == group.end();
  if (in_order && group.size() > 1) return fmt::format("{}-{}", group.front(), group.back());
  std::string text;
  for (const int rank : group) text += fmt::format("{}{}", text.empty() ? "" : "+", rank);
  return text;
}

}  // namespace assay::collectives
