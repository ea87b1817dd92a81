// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A circle of links between switches, each of which feeds the next.
#pragma once

#include <algorithm>
#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

/// The first circle found, or nothing. Feeds: `next_fed(link, from)` is the first of the links at `from` or
/// after it that `link` feeds, else end(). Depth first: the way from the start to the current link is a
/// stack, and a circle ends in it.
template <class Feeds>
std::vector<LinkId> find_link_cycle(const Topology& topology, const Feeds& feeds) {
  enum class State : char { unseen, on_way, done };
  std::vector<State> state(topology.links(), State::unseen);
  std::vector<LinkId> way, tried;  // and of each on the way, the link to try next
  for (LinkId start = topology.hosts(); start < topology.links(); ++start) {
    if (state[start] != State::unseen || !topology.between_switches(start)) continue;
    way = {start};
    tried = {0};
    state[start] = State::on_way;
    while (!way.empty()) {
      const LinkId next = feeds.next_fed(way.back(), tried.back());
      if (next == feeds.end()) {
        state[way.back()] = State::done;
        way.pop_back();
        tried.pop_back();
        continue;
      }
      tried.back() = next + 1;
      if (state[next] == State::on_way) return {std::ranges::find(way, next), way.end()};
      if (state[next] == State::done) continue;
      state[next] = State::on_way;
      way.push_back(next);
      tried.push_back(0);
    }
  }
  return {};
}

}  // namespace assay::model::fabric
