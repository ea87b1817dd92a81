// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/grow/sound_set.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "harness/front/campaign/grow/exclusions.hpp"
#include "harness/front/campaign/grow/first_failing.hpp"

namespace assay::campaign {
namespace {

using Nodes = std::vector<int>;

constexpr int most_unlocated = 3;
constexpr std::size_t most_partners = 4;

class Search {
 public:
  Search(int nodes, const SoundSetRules& rules, const GroupTest& test)
      : nodes_(nodes), rules_(rules), needed_(passes_needed(rules)), test_(test), passes_of_(index(nodes)) {}

  SoundSet run() {
    for (int in_a_row = 0; in_a_row < most_unlocated;) {
      const Nodes candidates = members();
      if (candidates.size() < 2) break;
      set_.proven = !fails(candidates, needed_);
      if (set_.proven) break;
      const bool located = locate(candidates);
      in_a_row = located ? 0 : in_a_row + 1;
      if (!located) ++set_.unlocated;
      if (passed_.empty()) break;  // it is not the nodes
    }
    if (set_.proven) {
      set_.nodes = members();
      describe_excluded();
    }
    return std::move(set_);
  }

 private:
  static std::size_t index(int node) { return static_cast<std::size_t>(node); }

  bool passes(Nodes group) {
    std::ranges::sort(group);
    ++set_.tests;
    const bool passed = test_(group);
    if (passed) {
      for (const int node : group) ++passes_of_[index(node)];
    }
    if (!passed && group.size() == 2) bad_pairs_.insert({group.front(), group.back()});
    (passed ? passed_ : failed_).push_back(std::move(group));
    return passed;
  }

  /// Whether it fails once in at most so many tests.
  bool fails(const Nodes& group, int tests) {
    for (int test = 0; test < tests; ++test)
      if (!passes(group)) return true;
    return false;
  }

  int passes_together(int one, int other) const {
    return static_cast<int>(std::ranges::count_if(passed_, [&](const Nodes& group) {
      return std::ranges::binary_search(group, one) && std::ranges::binary_search(group, other);
    }));
  }

  /// Whether the pair is known to fail, or does so within these tests.
  bool pair_fails(int one, int other, int tests) {
    return bad_pairs_.contains(pair_of(one, other)) || fails({one, other}, tests);
  }

  /// As pair_fails(). Groups that passed with both count as tests.
  bool is_bad_pair(int one, int other, int tests) {
    return pair_fails(one, other, tests - passes_together(one, other));
  }

  bool is_bad(int node) const { return bad_nodes_.contains(node) || larger_groups_.contains(node); }

  std::set<int> excluded() const {
    std::set<NodePair> pairs = bad_pairs_;
    std::erase_if(pairs, [this](const NodePair& pair) { return is_bad(pair.first) || is_bad(pair.second); });
    std::set<int> nodes = fewest_in_all_pairs(pairs);
    nodes.insert(bad_nodes_.begin(), bad_nodes_.end());
    for (const auto& [node, group] : larger_groups_) nodes.insert(node);
    return nodes;
  }

  Nodes members() const {
    Nodes all(index(nodes_));
    std::iota(all.begin(), all.end(), 0);
    const std::set<int> out = excluded();
    std::erase_if(all, [&](int node) { return out.contains(node); });
    return all;
  }

  /// Nodes that passed most often come first: the others end the starts that fail.
  Nodes most_passed_first(Nodes nodes) const {
    std::ranges::stable_sort(nodes, std::ranges::greater(),
                             [this](int node) { return passes_of_[index(node)]; });
    return nodes;
  }

  /// How many nodes of the order's start the group holds.
  static int start_within(const Nodes& order, const Nodes& group) {
    const auto end =
        std::ranges::find_if_not(order, [&](int node) { return std::ranges::binary_search(group, node); });
    return static_cast<int>(end - order.begin());
  }

  /// How many nodes of the order's start hold the group; more than there are where none do.
  static int start_around(const Nodes& order, const Nodes& group) {
    const auto end = std::find_if(order.rbegin(), order.rend(),
                                  [&](int node) { return std::ranges::binary_search(group, node); });
    const bool all =
        std::ranges::all_of(group, [&](int node) { return std::ranges::find(order, node) != order.end(); });
    return static_cast<int>(all ? order.rend() - end : std::ssize(order) + 1);
  }

  /// The number at which the groups begin to fail.
  template <class GroupOf>
  int narrow(FirstFailing& search, double missed, const GroupOf& group_of) {
    for (;;) {
      const int number = search.next(missed);
      if (number == search.high()) return number;
      search.take(number, passes(group_of(number)));
    }
  }

  /// Finds a defect in a group that failed: first as one that fails always, then as one that may pass.
  bool locate(const Nodes& candidates) {
    const Nodes order = most_passed_first(candidates);
    FirstFailing first(1, static_cast<int>(order.size()));
    for (const Nodes& group : passed_) first.take(start_within(order, group), true);
    for (const Nodes& group : failed_) first.take(start_around(order, group), false);
    if (locate_in(order, first, 0, 1)) return true;
    if (rules_.fails_in < 1 && locate_in(order, first, 1 - rules_.fails_in, needed_)) return true;
    return locate_larger(order, first.high());
  }

  bool locate_in(const Nodes& order, FirstFailing& first, double missed, int tests) {
    const auto start_of = [&](int number) { return Nodes(order.begin(), order.begin() + number); };
    const int high = narrow(first, missed, start_of);
    const int suspect = order[index(high - 1)];
    FirstFailing second(0, high - 1, true);
    if (missed == 0 && rules_.fails_in < 1 &&
        high > 2) {  // a fault that may pass is left to the other search
      const bool passed = passes({suspect, order.front()});
      if (passed && passes(start_of(high))) return false;
      second.take(1, passed);
    }
    const int other = narrow(second, missed, [&](int number) {
      Nodes group = start_of(number);
      group.push_back(suspect);
      return group;
    });
    const int partner = order[index(other - 1)];
    if (!pair_fails(suspect, partner, tests)) return false;
    blame(suspect, partner, tests);
    return true;
  }

  /// Tests both ends of a failing pair with sound partners. Fewer tests are enough where nothing fails: a bad
  /// node that is taken for a pair fails again, with another, and the fewest exclusions then name it.
  void blame(int one, int other, int tests) {
    std::optional<int> suspect;
    Nodes failed_with;
    for (const int partner : partners_of(one, other)) {
      if (suspect ? !pair_fails(*suspect, partner, tests)
                  : !(suspect = first_to_fail(one, other, partner, (tests + 1) / 2)))
        return;
      if (failed_with.empty()) failed_with.push_back(*suspect == one ? other : one);
      const auto passes_with_it = [&](int earlier) { return !is_bad_pair(earlier, partner, tests); };
      if (std::ranges::any_of(failed_with, passes_with_it)) {
        bad_nodes_.insert(*suspect);
        return;
      }
      failed_with.push_back(partner);
    }
  }

  std::optional<int> first_to_fail(int one, int other, int partner, int tests) {
    for (int test = 0; test < tests; ++test)
      for (const int end : {one, other})
        if (pair_fails(end, partner, 1)) return end;
    return std::nullopt;
  }

  /// Those that passed most often.
  Nodes partners_of(int one, int other) const {
    Nodes partners = most_passed_first(members());
    std::erase_if(partners, [&](int node) { return node == one || node == other; });
    partners.resize(std::min(partners.size(), most_partners));
    return partners;
  }

  /// A defect of more than two nodes: the start fails again, and passes without its last node.
  bool locate_larger(const Nodes& order, int high) {
    const Nodes group(order.begin(), order.begin() + high), rest(group.begin(), group.end() - 1);
    if (rest.size() < 2 || !fails(group, needed_) || fails(rest, needed_)) return false;
    larger_groups_[group.back()] = rest;
    return true;
  }

  void describe_excluded() {
    for (const int node : excluded()) {
      ExcludedNode one{.node = node, .why = Defect::pair};
      for (const auto& [first, second] : bad_pairs_)
        if (first == node || second == node) one.with.push_back(first == node ? second : first);
      if (bad_nodes_.contains(node) || one.with.size() >= 2) one.why = Defect::node;
      if (const auto found = larger_groups_.find(node); found != larger_groups_.end()) {
        one.why = Defect::larger_group;
        one.with = found->second;
      }
      set_.excluded.push_back(std::move(one));
    }
  }

  int nodes_;
  SoundSetRules rules_;
  int needed_;
  const GroupTest& test_;
  std::vector<int> passes_of_;
  std::vector<Nodes> passed_, failed_;
  std::set<NodePair> bad_pairs_;
  std::set<int> bad_nodes_;
  std::map<int, Nodes> larger_groups_;  // by the node without which they pass
  SoundSet set_;
};

}  // namespace

int passes_needed(const SoundSetRules& rules) {
  if (rules.fails_in >= 1) return 1;
  return std::max(1, static_cast<int>(std::ceil(std::log(rules.error / 2) / std::log1p(-rules.fails_in))));
}

SoundSet largest_sound_set(int nodes, const SoundSetRules& rules, const GroupTest& test) {
  return Search(nodes, rules, test).run();
}

}  // namespace assay::campaign
