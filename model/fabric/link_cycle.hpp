// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A circle of buffers, each of which feeds the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

/// The first circle found among buffers 0 to count - 1, or nothing. Feeds: `next_fed(buffer, from)` is the
/// first of the buffers at `from` or after it that `buffer` feeds, else end(). Depth first from the buffers
/// that `is_start` names: the way from the start to the current buffer is a stack, and a circle ends in it.
template <class Buffer, class Feeds, class IsStart>
std::vector<Buffer> find_cycle(Buffer count, const Feeds& feeds, const IsStart& is_start) {
  enum class State : char { unseen, on_way, done };
  std::vector<State> state(count, State::unseen);
  std::vector<Buffer> way, tried;  // and of each on the way, the buffer to try next
  for (Buffer start = 0; start < count; ++start) {
    if (state[start] != State::unseen || !is_start(start)) continue;
    way = {start};
    tried = {0};
    state[start] = State::on_way;
    while (!way.empty()) {
      const Buffer next = feeds.next_fed(way.back(), tried.back());
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

/// Among links between switches.
template <class Feeds>
std::vector<LinkId> find_link_cycle(const Topology& topology, const Feeds& feeds) {
  return find_cycle<LinkId>(topology.links(), feeds,
                            [&](LinkId link) { return topology.between_switches(link); });
}

}  // namespace assay::model::fabric
