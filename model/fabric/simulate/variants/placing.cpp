// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/variants/placing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "harness/core/error.hpp"
#include "harness/core/text/json_text.hpp"
#include "model/fabric/simulate/steps/step_plan.hpp"
#include "model/fabric/simulate/times.hpp"

namespace assay::model::fabric {
namespace {

using Column = results::Column;

/// The servers that a job is on, zone by zone, leaf by leaf; each is a vertex.
class Servers {
 public:
  explicit Servers(const Scenario& scenario)
      : gpus_(scenario.model().file().server.gpus), hosts_(scenario.host_of_rank()) {
    const Topology& topology = scenario.model().topology();
    const auto* centre = std::get_if<DataCentreShape>(&scenario.model().file().shape);
    std::set<Place> places;
    for (const NodeId host : hosts_) {
      const NodeId number = host / gpus_, leaf = topology.leaf_of(number * gpus_) - topology.hosts();
      places.insert({centre == nullptr ? 0 : leaf / centre->zone.leaves, leaf, number});
    }
    const Place* before = nullptr;
    for (const Place& place : places) {
      vertices_.emplace(place.number, static_cast<int>(numbers_.size()));
      numbers_.push_back(place.number);
      if (before == nullptr || place.zone != before->zone) sizes_.emplace_back();
      if (before == nullptr || place.leaf != before->leaf) sizes_.back().push_back(0);
      ++sizes_.back().back();
      before = &place;
    }
    if (numbers_.size() * gpus_ != hosts_.size())
      core::usage_error(fmt::format("{}: {} ranks on {} servers of {} GPUs: expected whole servers",
                                    scenario.workload().file, hosts_.size(), numbers_.size(), gpus_));
  }

  int count() const { return static_cast<int>(numbers_.size()); }
  int vertex_of(NodeId host) const { return vertices_.at(host / gpus_); }
  /// The number of servers on each leaf of each zone.
  const std::vector<std::vector<int>>& sizes() const { return sizes_; }
  NodeId first_host(int vertex) const { return numbers_[static_cast<std::size_t>(vertex)] * gpus_; }
  std::uint32_t gpus() const { return gpus_; }

 private:
  struct Place {
    NodeId zone, leaf, number;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  std::uint32_t gpus_;
  const std::vector<NodeId>& hosts_;
  std::vector<NodeId> numbers_;
  std::map<NodeId, int> vertices_;
  std::vector<std::vector<int>> sizes_;
};

/// Bytes between servers in the whole workload.
TrafficGraph traffic_of(const Scenario& scenario, const Servers& servers) {
  TrafficGraph graph(servers.count());
  double sends = 0;
  for (const Stream& stream : scenario.workload().streams)
    for (const Operation& operation : stream.operations) {
      if (operation.kind == OperationKind::compute) continue;
      const OperationSends exchange(operation, scenario.host_of_rank(), send_settings_of(scenario.model()));
      for (const DistinctStep& step : exchange.steps())
        for (const NodeId host : exchange.hosts())
          exchange.sends_of(host, step.step, [&](NodeId to, std::uint64_t bytes) {
            if (++sends > most_placed_sends)
              core::usage_error(fmt::format("{}bytes: more than {:g} messages to place", operation.where,
                                            most_placed_sends));
            const int one = servers.vertex_of(host), other = servers.vertex_of(to);
            if (one != other) graph.add(one, other, static_cast<double>(bytes) * step.repeats);
          });
    }
  return graph;
}

/// `sizes`: of groups of neighbouring servers. `order`: the vertex at each position.
TierCut cut_in(const TrafficGraph& graph, const std::string& tier, const std::vector<int>& sizes,
               const std::vector<int>& order) {
  std::vector<int> before, after(order.size());
  for (std::size_t group = 0; group < sizes.size(); ++group)
    before.insert(before.end(), static_cast<std::size_t>(sizes[group]), static_cast<int>(group));
  for (std::size_t position = 0; position < order.size(); ++position)
    after[static_cast<std::size_t>(order[position])] = before[position];
  return {.tier = tier,
          .before = cut_of(graph, before),
          .after = cut_of(graph, after),
          .bound = least_cut(graph, std::ranges::max(sizes))};
}

}  // namespace

PlacedRanks place_ranks(const Scenario& scenario) {
  if (const std::size_t jobs = scenario.workload().jobs.size(); jobs > 1)
    core::usage_error(
        fmt::format("{}: job: expected one job to place, got {}", scenario.workload().file, jobs));
  const Servers servers(scenario);
  const TrafficGraph graph = traffic_of(scenario, servers);
  const std::vector<int> order = place_in_tiers(graph, servers.sizes());
  PlacedRanks placed{.host_of_rank = scenario.host_of_rank(), .cuts = {}};
  std::vector<int> position_of(order.size());
  for (std::size_t at = 0; at < order.size(); ++at)
    position_of[static_cast<std::size_t>(order[at])] = static_cast<int>(at);
  for (NodeId& host : placed.host_of_rank)
    host = servers.first_host(position_of[static_cast<std::size_t>(servers.vertex_of(host))]) +
           host % servers.gpus();
  std::vector<int> zones, leaves;
  for (const std::vector<int>& zone : servers.sizes()) {
    zones.push_back(std::accumulate(zone.begin(), zone.end(), 0));
    leaves.insert(leaves.end(), zone.begin(), zone.end());
  }
  if (zones.size() > 1) placed.cuts.push_back(cut_in(graph, "zone", zones, order));
  placed.cuts.push_back(cut_in(graph, "leaf", leaves, order));
  return placed;
}

std::vector<RankPlace> rank_places(const Scenario& scenario, const std::vector<NodeId>& host_of_rank,
                                   const std::vector<std::string>& names, const std::string& names_file) {
  const std::uint32_t gpus = scenario.model().file().server.gpus;
  std::vector<RankPlace> places;
  for (const NodeId host : host_of_rank) {
    const std::size_t server = host / gpus;
    if (!names.empty() && server >= names.size())
      core::usage_error(fmt::format("{}: {} names, the job uses server {}: expected one a server, one a line",
                                    names_file, names.size(), server));
    places.push_back(
        {names.empty() ? fmt::format("{}", server) : names[server], static_cast<int>(host % gpus)});
  }
  return places;
}

std::vector<RankPlace> places_by_nodes(const Scenario& scenario, const std::vector<NodeId>& host_of_rank) {
  const FabricFile& file = scenario.model().file();
  const bool is_each_named = file.nodes.size() == scenario.model().topology().hosts();
  if (file.nodes.empty() || (is_each_named && file.states_servers && file.server.gpus > 1)) return {};
  const std::uint32_t each = is_each_named ? 1 : file.server.gpus;
  std::vector<RankPlace> places;
  for (const NodeId host : host_of_rank)
    places.push_back({file.nodes[host / each], static_cast<int>(host % each)});
  return places;
}

Answer placement_answer(const Scenario& scenario, const Simulation& before, const PlacedRanks& placed,
                        const Simulation& after) {
  const double before_us = median_us(before), after_us = median_us(after);
  Answer answer;
  answer.sentence =
      fmt::format("{}: {:.4g} ms as it is, {:.4g} ms placed: {:+.1f} %", scenario.workload().name,
                  1e-3 * before_us, 1e-3 * after_us, 100 * (before_us / after_us - 1));
  answer.notes =
      notes_of(scenario.model().file(), after.rules, static_cast<std::uint32_t>(after.time_us.size()));
  results::Table table{.title = "Bytes that leave their group"};
  table.columns = {{"group", "", Column::Kind::word},
                   {"as it is", "GB", Column::Kind::number},
                   {"placed", "GB", Column::Kind::number},
                   {"at least", "GB", Column::Kind::number}};
  nlohmann::ordered_json cuts = nlohmann::ordered_json::array();
  for (const TierCut& cut : placed.cuts) {
    table.rows.push_back({cut.tier, results::Number{1e-9 * cut.before}, results::Number{1e-9 * cut.after},
                          results::Number{1e-9 * cut.bound}});
    cuts.push_back({{"group", cut.tier},
                    {"before_bytes", cut.before},
                    {"after_bytes", cut.after},
                    {"bound_bytes", cut.bound}});
  }
  answer.tables = {table};
  answer.json = core::json_text(nlohmann::ordered_json{{"origin", "simulated"},
                                                       {"answer", answer.sentence},
                                                       {"notes", answer.notes},
                                                       {"before_us", before_us},
                                                       {"after_us", after_us},
                                                       {"cuts", cuts},
                                                       {"host_of_rank", placed.host_of_rank}},
                                2);
  return answer;
}

}  // namespace assay::model::fabric
