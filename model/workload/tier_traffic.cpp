// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/tier_traffic.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "harness/core/error.hpp"
#include "harness/training/step_file.hpp"
#include "model/workload/crossings.hpp"

namespace assay::model::workload {
namespace {

using fabric::NodeId;
using training::RankGroup;
using training::StepOperation;
using training::Traffic;

/// Nodes that links of low tiers join.
class Parts {
 public:
  explicit Parts(NodeId nodes) : above_(nodes) { std::iota(above_.begin(), above_.end(), NodeId{0}); }
  NodeId of(NodeId node) {
    while (above_[node] != node) node = above_[node] = above_[above_[node]];
    return node;
  }
  void join(NodeId one, NodeId other) { above_[of(one)] = of(other); }

 private:
  std::vector<NodeId> above_;
};

/// The size of blocks of ranks in order that the parts are; 0 where they are not.
std::uint32_t block_of(const std::vector<std::uint32_t>& parts) {
  const auto end = std::ranges::find_if(parts, [&](std::uint32_t part) { return part != parts.front(); });
  const auto block = static_cast<std::uint32_t>(end - parts.begin());
  std::vector<std::uint32_t> met;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    if (rank % block == 0) met.push_back(parts[rank]);
    if (parts[rank] != met.back()) return 0;
  }
  std::ranges::sort(met);
  return std::ranges::adjacent_find(met) == met.end() ? block : 0;
}

FabricLevel level(std::string name, std::vector<std::uint32_t> parts) {
  const std::uint32_t block = block_of(parts);
  return {std::move(name), std::move(parts), block};
}

/// Bytes of each message where all are alike: of each in a ring, or of each pair's.
double message_bytes(const StepOperation& one, double members) {
  switch (one.traffic) {
    case Traffic::all_reduce:
      return 2 * one.bytes * (members - 1) / members;
    case Traffic::all_gather:
    case Traffic::reduce_scatter:
      return one.bytes * (members - 1) / members;
    case Traffic::all_to_all:
      return one.bytes / members;
    default:
      return one.bytes;
  }
}

/// From, to and bytes, as places in the group.
using EachMessage = std::function<void(std::size_t from, std::size_t to, double bytes)>;

void all_pairs(const StepOperation& one, std::size_t members, const EachMessage& each) {
  for (std::size_t from = 0; from < members; ++from)
    for (std::size_t to = 0; to < members; ++to)
      if (from != to)
        each(from, to,
             one.matrix ? static_cast<double>((*one.matrix)[from][to])
                        : message_bytes(one, static_cast<double>(members)));
}

void messages_of(const StepOperation& one, std::size_t members, const EachMessage& each) {
  switch (one.traffic) {
    case Traffic::none:
      return;
    case Traffic::all_to_all:
    case Traffic::all_to_all_v:
      return all_pairs(one, members, each);
    case Traffic::broadcast:
    case Traffic::reduce:
      for (std::size_t to = 1; to < members; ++to) each(to & (to - 1), to, one.bytes);
      return;
    default:
      for (std::size_t from = 0; from < members; ++from)
        if (from + 1 < members || one.traffic != Traffic::pipeline)
          each(from, (from + 1) % members, message_bytes(one, static_cast<double>(members)));
  }
}

/// Bytes that go above each level.
std::vector<double> above_by_pairs(const StepOperation& one, std::uint32_t ranks,
                                   const std::vector<FabricLevel>& levels) {
  std::vector<double> above(levels.size());
  for (const RankGroup& group : training::rank_groups(training::group_texts(one.groups), ranks))
    messages_of(one, group.size(), [&](std::size_t from, std::size_t to, double bytes) {
      for (std::size_t at = 0; at < levels.size(); ++at) {
        if (levels[at].part_of_rank[group[from]] == levels[at].part_of_rank[group[to]]) return;
        above[at] += bytes;
      }
    });
  return above;
}

std::optional<std::vector<double>> above_by_blocks(const StepOperation& one, std::uint32_t ranks,
                                                   const std::vector<FabricLevel>& levels) {
  const std::optional<RegularGroups> groups = regular_groups(one.groups, ranks);
  const bool pairs = one.traffic == Traffic::all_to_all;
  if (!groups || one.matrix || (pairs && groups->levels.size() > 1)) return std::nullopt;
  if (one.traffic == Traffic::broadcast || one.traffic == Traffic::reduce) return std::nullopt;
  std::vector<double> above;
  std::uint32_t lower = 1;
  for (const FabricLevel& level : levels) {
    if (level.block == 0 || (level.block < ranks && level.block % lower != 0)) return std::nullopt;
    lower = level.block;
    const std::uint64_t count = pairs
                                    ? all_pair_crossings(*groups, level.block)
                                    : next_crossings(*groups, level.block, one.traffic != Traffic::pipeline);
    above.push_back(static_cast<double>(count) * message_bytes(one, static_cast<double>(groups->members())));
  }
  return above;
}

double sent_by_all(const StepOperation& one, std::uint32_t ranks) {
  double bytes = 0;
  const auto add = [&](std::size_t, std::size_t, double amount) { bytes += amount; };
  if (const auto groups = regular_groups(one.groups, ranks)) {
    const std::size_t members = groups->members();
    if (one.traffic == Traffic::all_to_all && !one.matrix)
      bytes = one.bytes * static_cast<double>(members - 1);
    else
      messages_of(one, members, add);
    return bytes * (ranks / static_cast<double>(members));
  }
  for (const RankGroup& group : training::rank_groups(training::group_texts(one.groups), ranks))
    messages_of(one, group.size(), add);
  return bytes;
}

}  // namespace

std::vector<FabricLevel> levels_of(const fabric::FabricModel& model,
                                   const std::vector<NodeId>& host_of_rank) {
  const fabric::Topology& topology = model.topology();
  std::vector<FabricLevel> levels;
  if (model.file().server.nvlink_bytes_per_us) {
    std::vector<std::uint32_t> servers;
    for (const NodeId host : host_of_rank) servers.push_back(host / model.file().server.gpus);
    levels.push_back(level("NVLink", std::move(servers)));
  }
  Parts parts(topology.nodes());
  for (std::size_t tier = 1; tier < topology.tiers(); ++tier) {
    for (NodeId node = topology.first_of_tier(tier); node < topology.first_of_tier(tier + 1); ++node)
      for (fabric::LinkId link = topology.first_down(node); link < topology.end_down(node); ++link)
        if (topology.live(link)) parts.join(topology.to(link), node);
    std::vector<std::uint32_t> of_rank;
    for (const NodeId host : host_of_rank) of_rank.push_back(parts.of(host));
    levels.push_back(level(topology.kind_of_tier(tier), std::move(of_rank)));
  }
  if (levels.back().block != host_of_rank.size())
    core::usage_error(model.file().file + ": failed: some ranks cannot reach others");
  return levels;
}

std::vector<DimensionTraffic> traffic_by_level(const training::TrainingStep& step,
                                               const std::vector<FabricLevel>& levels, Counting counting) {
  std::vector<DimensionTraffic> all;
  for (const training::StepStream& stream : step.streams)
    for (const StepOperation& one : stream.operations) {
      if (one.traffic == Traffic::none) continue;
      std::optional<std::vector<double>> above;
      if (counting == Counting::by_blocks) above = above_by_blocks(one, step.ranks, levels);
      if (!above) above = above_by_pairs(one, step.ranks, levels);
      const std::string among =
          one.among.empty() ? std::string(training::traffic_words.of(one.traffic)) : one.among;
      auto dimension = std::ranges::find(all, among, &DimensionTraffic::among);
      if (dimension == all.end())
        dimension = all.insert(all.end(), {among, std::vector<double>(levels.size())});
      double below = sent_by_all(one, step.ranks);
      for (std::size_t at = 0; at < levels.size(); ++at) {
        dimension->bytes_at_level[at] += one.times * (below - (*above)[at]);
        below = (*above)[at];
      }
    }
  return all;
}

results::Table tier_table(const std::vector<DimensionTraffic>& traffic,
                          const std::vector<FabricLevel>& levels) {
  using Kind = results::Column::Kind;
  results::Table table{.title = "Traffic by the highest level that it reaches",
                       .notes = {"Bytes of all ranks in a step; reductions and gathers as rings."},
                       .columns = {{"among", "", Kind::word}, {"bytes", "GB", Kind::number}}};
  for (const FabricLevel& level : levels) table.columns.push_back({level.name, "GB", Kind::number});
  for (const DimensionTraffic& one : traffic) {
    const double all = std::accumulate(one.bytes_at_level.begin(), one.bytes_at_level.end(), 0.0);
    std::vector<results::Cell> row{one.among, results::Number{1e-9 * all}};
    for (const double bytes : one.bytes_at_level) row.emplace_back(results::Number{1e-9 * bytes});
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace assay::model::workload
