// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include "harness/core/error.hpp"
#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {

void sort_nodes(Trace& trace) {
  std::vector<TraceNode>& nodes = trace.nodes;
  std::vector<std::vector<std::size_t>> after(nodes.size());
  std::vector<std::size_t> waits(nodes.size()), place(nodes.size());
  using Next = std::tuple<std::uint64_t, std::uint64_t, std::size_t>;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> ready;
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    waits[at] = nodes[at].before.size();
    for (const std::size_t before : nodes[at].before) after[before].push_back(at);
    if (waits[at] == 0) ready.emplace(nodes[at].start_us, nodes[at].id, at);
  }
  std::vector<TraceNode> sorted;
  while (!ready.empty()) {
    const std::size_t at = std::get<2>(ready.top());
    ready.pop();
    place[at] = sorted.size();
    sorted.push_back(nodes[at]);
    for (const std::size_t next : after[at])
      if (--waits[next] == 0) ready.emplace(nodes[next].start_us, nodes[next].id, next);
  }
  const auto stuck = std::ranges::find_if(waits, [](std::size_t count) { return count > 0; });
  if (stuck != waits.end())
    core::usage_error(fmt::format("{}: node {} waits for itself: expected dependencies without a cycle",
                                  trace.file, nodes[static_cast<std::size_t>(stuck - waits.begin())].id));
  for (TraceNode& node : sorted)
    for (std::size_t& before : node.before) before = place[before];
  nodes = std::move(sorted);
}

}  // namespace assay::model::workload
