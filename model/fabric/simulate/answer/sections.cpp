// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/answer/sections.hpp"

#include <algorithm>

namespace assay::model::fabric {

namespace {

/// Those of a stream after those it waits for; the reader has refused circles.
std::vector<std::size_t> stream_order(const std::vector<Stream>& streams) {
  std::vector<std::size_t> order;
  std::vector<char> placed(streams.size());
  while (order.size() < placed.size())
    for (std::size_t at = 0; at < placed.size(); ++at) {
      const auto is_placed = [&](std::size_t before) { return placed[before] != 0; };
      if (placed[at] != 0 || !std::ranges::all_of(streams[at].after, is_placed)) continue;
      placed[at] = 1;
      order.push_back(at);
    }
  return order;
}

/// For each place in the order: how many of the first streams that stream waits for, directly or not.
std::vector<std::size_t> waited_for(const std::vector<Stream>& streams,
                                    const std::vector<std::size_t>& order) {
  std::vector<std::size_t> counts;
  std::vector<std::vector<char>> waits(streams.size());
  for (const std::size_t stream : order) {
    std::vector<char>& own = waits[stream] = std::vector<char>(streams.size());
    for (const std::size_t before : streams[stream].after) {
      own[before] = 1;
      for (std::size_t at = 0; at < own.size(); ++at) own[at] |= waits[before][at];
    }
    const auto first_missing = std::ranges::find_if(order, [&](std::size_t at) { return own[at] == 0; });
    counts.push_back(static_cast<std::size_t>(first_missing - order.begin()));
  }
  return counts;
}

}  // namespace

std::vector<StreamSection> sections_of(const WorkloadFile& workload, bool barriers) {
  const std::vector<std::size_t> order = stream_order(workload.streams);
  std::vector<std::size_t> least = waited_for(workload.streams, order);  // of this stream and all that follow
  for (std::size_t at = least.size() - 1; at-- > 0;) least[at] = std::min(least[at], least[at + 1]);
  std::vector<StreamSection> sections;
  std::size_t operation = 0;
  for (std::size_t at = 0; at < order.size(); ++at) {
    if (at == 0 || (barriers && least[at] >= at)) {
      sections.emplace_back();
      sections.back().first_operation = operation;
    }
    sections.back().streams.push_back(order[at]);
    operation += workload.streams[order[at]].operations.size();
    sections.back().end_operation = operation;
  }
  for (StreamSection& one : sections) one.together = !barriers || one.streams.size() > 1;
  return sections;
}

}  // namespace assay::model::fabric
