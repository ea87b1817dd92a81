// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/tests/synthetic/other_ways.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <set>

namespace assay::campaign {
namespace {

using Nodes = std::vector<int>;

Nodes first_nodes(int count) {
  Nodes nodes(static_cast<std::size_t>(count));
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

Nodes joined(Nodes one, const Nodes& other) {
  one.insert(one.end(), other.begin(), other.end());
  std::ranges::sort(one);
  return one;
}

std::vector<Nodes> halves_of(const Nodes& group) {
  const auto middle = group.begin() + static_cast<std::ptrdiff_t>((group.size() + 1) / 2);
  std::vector<Nodes> halves{Nodes(group.begin(), middle)};
  if (middle != group.end()) halves.emplace_back(middle, group.end());
  return halves;
}

class Halves {
 public:
  Halves(int nodes, const GroupTest& test) : nodes_(nodes), test_(test) {}

  Nodes run() {
    const auto size = static_cast<std::size_t>(std::ceil(std::sqrt(nodes_)));
    const Nodes all = first_nodes(nodes_);
    std::vector<Nodes> failed;
    for (std::size_t begin = 0; begin < all.size(); begin += size) {
      const std::size_t end = std::min(begin + size, all.size());
      const Nodes group(all.begin() + static_cast<std::ptrdiff_t>(begin),
                        all.begin() + static_cast<std::ptrdiff_t>(end));
      if (!passes(group)) failed.push_back(group);
    }
    for (const Nodes& group : failed) split(group);
    Nodes sound = all;
    std::erase_if(sound, [this](int node) { return excluded_.contains(node); });
    return sound;
  }

 private:
  bool passes(const Nodes& group) {
    const bool passed = test_(group);
    if (passed) sound_.insert(group.begin(), group.end());
    return passed;
  }

  void split(const Nodes& group) {
    if (group.size() <= 2) return confirm(group);
    const std::vector<Nodes> halves = halves_of(group);
    bool failed = false;
    for (const Nodes& half : halves) {
      if (half.size() > 1 && passes(half)) continue;
      failed = half.size() > 1 || failed;
      split(half);
    }
    if (!failed) across(halves[0], halves[1]);
  }

  /// Both pass, and fail together.
  void across(const Nodes& one, const Nodes& other) {
    if (excluded_.contains(other.front())) return;
    if (one.size() == 1 && other.size() == 1) {
      excluded_.insert(other.front());
      return;
    }
    for (const Nodes& part : halves_of(one))
      for (const Nodes& with : halves_of(other))
        if (!passes(joined(part, with))) across(part, with);
  }

  void confirm(const Nodes& suspects) {
    std::size_t confirmed = 0;
    for (const int suspect : suspects) {
      const auto partner = std::ranges::find_if(
          sound_, [&](int node) { return std::ranges::find(suspects, node) == suspects.end(); });
      if (partner != sound_.end() && test_(joined({suspect}, {*partner}))) continue;
      excluded_.insert(suspect);
      ++confirmed;
    }
    if (confirmed == 0 && suspects.size() == 2) excluded_.insert(suspects.back());
  }

  int nodes_;
  const GroupTest& test_;
  std::set<int> sound_, excluded_;
};

}  // namespace

std::vector<int> set_by_reference(int nodes, const GroupTest& test) {
  Nodes candidates, set{0};
  for (int node = 1; node < nodes; ++node)
    if (test({0, node})) candidates.push_back(node);
  for (const int node : candidates) {
    set.push_back(node);
    if (!test(set)) set.pop_back();
  }
  return set;
}

std::vector<int> set_by_halves(int nodes, const GroupTest& test) { return Halves(nodes, test).run(); }

}  // namespace assay::campaign
