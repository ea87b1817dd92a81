// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/placing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "model/fabric/simulate/step_plan.hpp"
#include "model/fabric/simulate/times.hpp"

namespace assay::model::fabric {
namespace {

using Column = results::Column;

/// The servers that a job is on, by rising number; each is a vertex.
class Servers {
 public:
  explicit Servers(const Scenario& scenario)
      : gpus_(scenario.model().file().server.gpus), hosts_(scenario.host_of_rank()) {
    for (const NodeId host : hosts_) numbers_.push_back(host / gpus_);
    std::ranges::sort(numbers_);
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
    if (numbers_.size() * gpus_ != hosts_.size())
      core::usage_error(fmt::format("{}: {} ranks on {} servers of {} GPUs: expected whole servers",
                                    scenario.workload().file, hosts_.size(), numbers_.size(), gpus_));
  }

  int count() const { return static_cast<int>(numbers_.size()); }
  int vertex_of(NodeId host) const {
    return static_cast<int>(std::ranges::lower_bound(numbers_, host / gpus_) - numbers_.begin());
  }
  NodeId first_host(int vertex) const { return numbers_[static_cast<std::size_t>(vertex)] * gpus_; }
  std::uint32_t gpus() const { return gpus_; }

 private:
  std::uint32_t gpus_;
  const std::vector<NodeId>& hosts_;
  std::vector<NodeId> numbers_;
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

/// Equal groups of neighbouring servers: how many there are.
struct Groups {
  int zones = 1, leaves_of_zone = 1;
};

/// Of the job's servers, which are alike in number on every leaf and in every zone, or a usage Error.
Groups groups_of(const Scenario& scenario, const Servers& servers) {
  const Topology& topology = scenario.model().topology();
  const auto* centre = std::get_if<DataCentreShape>(&scenario.model().file().shape);
  std::map<NodeId, int> on_leaf, in_zone;
  for (int vertex = 0; vertex < servers.count(); ++vertex) {
    const NodeId leaf = topology.leaf_of(servers.first_host(vertex)) - topology.hosts();
    ++on_leaf[leaf];
    ++in_zone[centre == nullptr ? 0 : leaf / centre->zone.leaves];
  }
  for (const auto& [group, counts] : {std::pair("leaf", &on_leaf), {"zone", &in_zone}})
    for (const auto& [number, count] : *counts)
      if (count != counts->begin()->second)
        core::usage_error(
            fmt::format("{}: ranks: its {} servers are not equally many on every {} that they use: "
                        "expected as many on each",
                        scenario.workload().file, servers.count(), group));
  const int zones = static_cast<int>(in_zone.size());
  return {.zones = zones, .leaves_of_zone = static_cast<int>(on_leaf.size()) / zones};
}

TierCut cut_in(const TrafficGraph& graph, const std::string& tier, int groups,
               const std::vector<int>& order) {
  const int of_group = graph.vertices() / groups;
  std::vector<int> before(order.size()), after(order.size());
  for (int position = 0; position < graph.vertices(); ++position) {
    before[static_cast<std::size_t>(position)] = position / of_group;
    after[static_cast<std::size_t>(order[static_cast<std::size_t>(position)])] = position / of_group;
  }
  return {.tier = tier,
          .before = cut_of(graph, before),
          .after = cut_of(graph, after),
          .bound = least_cut(graph, of_group)};
}

}  // namespace

PlacedRanks place_ranks(const Scenario& scenario) {
  if (const std::size_t jobs = scenario.workload().jobs.size(); jobs > 1)
    core::usage_error(
        fmt::format("{}: job: expected one job to place, got {}", scenario.workload().file, jobs));
  const Servers servers(scenario);
  const Groups groups = groups_of(scenario, servers);
  const TrafficGraph graph = traffic_of(scenario, servers);
  const std::vector<int> order = place_in_tiers(graph, groups.zones, groups.leaves_of_zone);
  PlacedRanks placed{.host_of_rank = scenario.host_of_rank(), .cuts = {}};
  std::vector<int> position_of(order.size());
  for (std::size_t at = 0; at < order.size(); ++at)
    position_of[static_cast<std::size_t>(order[at])] = static_cast<int>(at);
  for (NodeId& host : placed.host_of_rank)
    host = servers.first_host(position_of[static_cast<std::size_t>(servers.vertex_of(host))]) +
           host % servers.gpus();
  if (groups.zones > 1) placed.cuts.push_back(cut_in(graph, "zone", groups.zones, order));
  placed.cuts.push_back(cut_in(graph, "leaf", groups.zones * groups.leaves_of_zone, order));
  return placed;
}

std::vector<RankPlace> rank_places(const Scenario& scenario, const std::vector<NodeId>& host_of_rank,
                                   const std::vector<std::string>& names) {
  const std::uint32_t gpus = scenario.model().file().server.gpus;
  std::vector<RankPlace> places;
  for (const NodeId host : host_of_rank) {
    const std::size_t server = host / gpus;
    if (!names.empty() && server >= names.size())
      core::usage_error(fmt::format("{} names, the job uses server {}", names.size(), server));
    places.push_back(
        {names.empty() ? fmt::format("{}", server) : names[server], static_cast<int>(host % gpus)});
  }
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
  answer.json = nlohmann::ordered_json{{"origin", "simulated"},
                                       {"answer", answer.sentence},
                                       {"notes", answer.notes},
                                       {"before_us", before_us},
                                       {"after_us", after_us},
                                       {"cuts", cuts},
                                       {"host_of_rank", placed.host_of_rank}}
                    .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return answer;
}

}  // namespace assay::model::fabric
