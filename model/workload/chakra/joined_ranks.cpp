// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/joined_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "model/workload/chakra/group_members.hpp"

namespace assay::model::workload {
namespace {

using training::StepOperation;
using training::Traffic;

/// The rank and place of a node.
struct NodePlace {
  std::uint32_t rank = 0;
  std::size_t at = 0;
};
using NodePlaces = std::vector<NodePlace>;

class Joiner {
 public:
  explicit Joiner(std::span<const Trace> traces)
      : traces_(traces), ranks_(static_cast<std::uint32_t>(traces.size())), members_(traces, ranks_) {
    refuse_ranks_beyond(traces, ranks_);
    for (const Trace& trace : traces) operation_of_.emplace_back(trace.nodes.size());
  }

  JoinedRanks join() {
    for (const TraceNode* one : exchanges_of(traces_.front()))
      joined_.group_sizes.push_back(static_cast<std::uint32_t>(members_.of(0, one->group).size()));
    join_compute();
    join_exchanges();
    join_messages();
    joined_.graph = in_order();
    if (unequal_ > 0)
      joined_.notes.push_back(
          fmt::format("{} all-to-alls have another size at each rank: the largest is taken", unequal_));
    return std::move(joined_);
  }

 private:
  struct GroupKey {
    Members members;
    std::string name;
    auto operator<=>(const GroupKey&) const = default;
  };

  const TraceNode& node(const NodePlace& place) const { return traces_[place.rank].nodes[place.at]; }

  void add(StepOperation operation, const NodePlaces& places) {
    for (const NodePlace& one : places) operation_of_[one.rank][one.at] = operations_.size();
    places_.push_back(places);
    operations_.push_back(std::move(operation));
  }

  void join_compute() {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
      for (std::size_t at = 0; at < traces_[rank].nodes.size(); ++at) {
        const TraceNode& one = traces_[rank].nodes[at];
        if (one.traffic == Traffic::none && one.side == Side::none)
          add({.name = "compute", .compute_s = one.compute_s, .groups = std::to_string(rank)}, {{rank, at}});
      }
  }

  void join_exchanges() {
    std::map<GroupKey, std::map<std::uint32_t, NodePlaces>> exchanges;  // of each group, by rank
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      std::map<std::string, NodePlaces*> known;
      for (std::size_t at = 0; at < traces_[rank].nodes.size(); ++at) {
        const TraceNode& one = traces_[rank].nodes[at];
        if (one.traffic == Traffic::none) continue;
        NodePlaces*& places = known[one.group];
        if (places == nullptr) places = &exchanges[{members_.of(rank, one.group), one.group}][rank];
        places->push_back({rank, at});
      }
    }
    for (const auto& [key, by_rank] : exchanges) join_group(key, by_rank);
  }

  void join_group(const GroupKey& key, const std::map<std::uint32_t, NodePlaces>& by_rank) {
    for (const auto& [rank, places] : by_rank)
      if (!key.members.contains(rank))
        core::usage_error(fmt::format("{}: node {} exchanges in group {} of ranks {}, without rank {}",
                                      traces_[rank].file, node(places.front()).id, shown_group(key.name),
                                      listed(key.members), rank));
    const NodePlaces& first = by_rank.begin()->second;
    for (const std::uint32_t rank : key.members) {
      const auto found = by_rank.find(rank);
      const std::size_t count = found == by_rank.end() ? 0 : found->second.size();
      if (count != first.size())
        core::usage_error(
            fmt::format("{}: {} of group {} (ranks {}): expected {} as in {}", traces_[rank].file,
                        core::counted(static_cast<std::int64_t>(count), "exchange"), shown_group(key.name),
                        listed(key.members), first.size(), traces_[first.front().rank].file));
    }
    for (std::size_t at = 0; at < first.size(); ++at) {
      NodePlaces places;
      for (const auto& [rank, own] : by_rank) places.push_back(own[at]);
      add(exchange(key, places, at + 1), places);
    }
  }

  StepOperation exchange(const GroupKey& key, const NodePlaces& places, std::size_t number) {
    const TraceNode& first = node(places.front());
    TraceNode largest = first;
    bool equal = true;
    for (const NodePlace& place : places) {
      const TraceNode& one = node(place);
      if (one.traffic != first.traffic || (one.bytes != first.bytes && first.traffic != Traffic::all_to_all))
        core::usage_error(fmt::format(
            "{}: exchange {} of group {} is {} of {:.0f} bytes: expected {} of {:.0f} as in {}",
            traces_[place.rank].file, number, shown_group(key.name), training::traffic_words.of(one.traffic),
            one.bytes, training::traffic_words.of(first.traffic), first.bytes,
            traces_[places.front().rank].file));
      equal = equal && one.bytes == first.bytes;
      largest.bytes = std::max(largest.bytes, one.bytes);
    }
    if (!equal) ++unequal_;
    return exchange_of(largest, key.members.size() > 1 ? listed(key.members) : "",
                       static_cast<std::uint32_t>(key.members.size()));
  }

  bool names_another(const NodePlace& place) const {
    const std::int64_t peer = node(place).peer;
    return peer >= 0 && peer < std::int64_t{ranks_} && peer != std::int64_t{place.rank};
  }

  void join_messages() {
    using Pair = std::pair<std::uint32_t, std::uint32_t>;  // sender, receiver
    std::map<Pair, NodePlaces> sent, received;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
      for (std::size_t at = 0; at < traces_[rank].nodes.size(); ++at) {
        const NodePlace place{rank, at};
        const Side side = node(place).side;
        if (side == Side::none) continue;
        if (!names_another(place)) {
          ++joined_.left_out;
          add({}, {place});
          continue;
        }
        const auto peer = static_cast<std::uint32_t>(node(place).peer);
        if (side == Side::sends)
          sent[{rank, peer}].push_back(place);
        else
          received[{peer, rank}].push_back(place);
      }
    for (const auto& [pair, sends] : sent) {
      NodePlaces& receives = received[pair];
      for (std::size_t at = 0; at < sends.size(); ++at) {
        NodePlaces places{sends[at]};
        if (at < receives.size()) places.push_back(receives[at]);
        add(message(pair.first, pair.second, node(sends[at]).bytes), places);
      }
      receives.erase(receives.begin(),
                     receives.begin() + static_cast<std::ptrdiff_t>(std::min(sends.size(), receives.size())));
    }
    for (const auto& [pair, receives] : received)
      for (const NodePlace& place : receives) {
        ++joined_.left_out;
        add({}, {place});
      }
  }

  /// The one message of a pipeline of two.
  static StepOperation message(std::uint32_t from, std::uint32_t to, double bytes) {
    return {.name = "send",
            .traffic = Traffic::pipeline,
            .among = "messages",
            .groups = fmt::format("{}+{}", from, to),
            .bytes = bytes};
  }

  /// Operations after all that they wait for at any of their ranks, else by the time at which they start.
  OperationGraph in_order() const {
    const std::size_t count = operations_.size();
    std::vector<std::vector<std::size_t>> before(count), behind(count);
    std::vector<std::size_t> open(count);
    for (std::size_t one = 0; one < count; ++one) {
      for (const NodePlace& place : places_[one])
        for (const std::size_t at : node(place).before) before[one].push_back(operation_of_[place.rank][at]);
      open[one] = before[one].size();
      for (const std::size_t other : before[one]) behind[other].push_back(one);
    }
    using Turn = std::pair<std::uint64_t, std::size_t>;
    std::priority_queue<Turn, std::vector<Turn>, std::greater<>> ready;
    const auto let = [&](std::size_t one) { ready.emplace(node(places_[one].front()).start_us, one); };
    for (std::size_t one = 0; one < count; ++one)
      if (open[one] == 0) let(one);
    OperationGraph graph;
    std::vector<std::size_t> place_of(count);
    while (!ready.empty()) {
      const std::size_t one = ready.top().second;
      ready.pop();
      place_of[one] = graph.operations.size();
      graph.operations.push_back(operations_[one]);
      std::vector<std::size_t>& waits = graph.before.emplace_back();
      for (const std::size_t other : before[one]) waits.push_back(place_of[other]);
      for (const std::size_t other : behind[one])
        if (--open[other] == 0) let(other);
    }
    if (graph.operations.size() < count) refuse_circle(open);
    return graph;
  }

  [[noreturn]] void refuse_circle(const std::vector<std::size_t>& open) const {
    std::size_t one = 0;
    while (open[one] == 0 || operations_[one].traffic == Traffic::none) ++one;
    const NodePlace& place = places_[one].front();
    core::usage_error(fmt::format(
        "{}: node {}: exchanges wait for one another in a circle: expected ranks that exchange in one order",
        traces_[place.rank].file, node(place).id));
  }

  std::span<const Trace> traces_;
  std::uint32_t ranks_;
  GroupMembers members_;
  std::vector<StepOperation> operations_;
  std::vector<NodePlaces> places_;                      // of each operation
  std::vector<std::vector<std::size_t>> operation_of_;  // by rank and place of the node
  std::size_t unequal_ = 0;
  JoinedRanks joined_;
};

}  // namespace

JoinedRanks joined_ranks(std::span<const Trace> traces) { return Joiner(traces).join(); }

}  // namespace assay::model::workload
