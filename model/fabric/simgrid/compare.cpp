// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Max-min sharing side by side with SimGrid's (https://simgrid.org, LGPL-2.1, used by this program alone):
// the same flows over the same paths, started together. Prints how much the ends of flows differ, and how
// long both took: with rates shared out again at each end, as SimGrid does, and at each batch of ends, as
// assay does by default. Ends with 1 where the ends differ by more than 0.1 %, or with batches by more than 2
// % in the mean.
//
//   fabric_against_simgrid [permutation|all-to-all] [HOSTS]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>
#include <simgrid/s4u.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "model/fabric/presets.hpp"
#include "model/fabric/routing/routing.hpp"
#include "model/fabric/sharing/max_min.hpp"
#include "model/fabric/sharing/timeline.hpp"

namespace assay::model::fabric {
namespace {

namespace s4u = simgrid::s4u;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Flows {
  std::vector<std::pair<NodeId, NodeId>> ends;
  std::vector<Message> messages;
  Paths paths;
};

struct Ended {
  std::vector<double> at_us;
  double wall_s = 0;
};

/// Flows of 4 MiB and up to a tenth more, so that most ends are apart.
Flows flows_of(const Router& router, const std::string& workload) {
  const NodeId hosts = router.topology().hosts();
  std::mt19937_64 random(20261126);
  Flows flows;
  const auto add = [&](NodeId source, NodeId destination) {
    const std::uint64_t bytes = (4 << 20) + random() % 400000;
    flows.ends.emplace_back(source, destination);
    flows.messages.push_back({.bytes = static_cast<double>(bytes)});
    router.route(source, destination, bytes, 0,
                 [&](std::span<const LinkId> path, std::uint64_t) { flows.paths.append(path); });
  };
  if (workload == "all-to-all") {
    for (NodeId source = 0; source < hosts; ++source)
      for (NodeId shift = 1; shift < hosts; ++shift) add(source, (source + shift) % hosts);
    return flows;
  }
  std::vector<NodeId> to(hosts);
  std::iota(to.begin(), to.end(), NodeId{0});
  std::ranges::shuffle(to, random);
  for (NodeId source = 0; source < hosts; ++source)
    if (to[source] != source) add(source, to[source]);
  return flows;
}

Ended by_assay(const Topology& fabric, const Flows& flows, double batch) {
  const auto start = Clock::now();
  MaxMin rule(flows.paths, fabric.capacities());
  const Timeline timeline = timeline_of(
      flows.messages, {}, flows.paths, fabric.links(),
      [&](std::span<const FlowId> active, std::span<double> rates) { rule.share(active, rates); }, batch);
  return {timeline.end_us, seconds_since(start)};
}

/// Bytes and bytes/s, without latencies, and without the factors that stand for TCP.
Ended by_simgrid(const Topology& fabric, const Flows& flows) {
  const auto start = Clock::now();
  s4u::NetZone* zone = s4u::create_full_zone("fabric");
  std::vector<s4u::Host*> hosts;
  for (NodeId host = 0; host < fabric.hosts(); ++host)
    hosts.push_back(zone->create_host(fabric.name_of(host), 1e9));
  std::vector<s4u::LinkInRoute> links;
  for (LinkId link = 0; link < fabric.links(); ++link)
    links.emplace_back(
        zone->create_link(std::to_string(link), fabric.capacity(link) * 1e6)->set_latency(0)->seal());
  for (std::size_t flow = 0; flow < flows.ends.size(); ++flow) {
    std::vector<s4u::LinkInRoute> route;
    for (const LinkId link : flows.paths[flow]) route.push_back(links[link]);
    const auto [source, destination] = flows.ends[flow];
    zone->add_route(hosts[source]->get_netpoint(), hosts[destination]->get_netpoint(), nullptr, nullptr,
                    route, false);
  }
  zone->seal();
  Ended ended{.at_us = std::vector<double>(flows.ends.size())};
  const auto sender = [&](std::size_t flow) {
    s4u::Comm::sendto(hosts[flows.ends[flow].first], hosts[flows.ends[flow].second],
                      static_cast<std::uint64_t>(flows.messages[flow].bytes));
    ended.at_us[flow] = s4u::Engine::get_clock() * 1e6;
  };
  for (std::size_t flow = 0; flow < flows.ends.size(); ++flow)
    s4u::Actor::create("flow", hosts[flows.ends[flow].first], sender, flow);
  s4u::Engine::get_instance()->run();
  ended.wall_s = seconds_since(start);
  return ended;
}

struct Difference {
  double most = 0, mean = 0;  // relative, of ends
};

Difference difference_of(const Ended& ours, const Ended& theirs) {
  Difference difference;
  for (std::size_t flow = 0; flow < ours.at_us.size(); ++flow) {
    const double one = std::abs(ours.at_us[flow] / theirs.at_us[flow] - 1);
    difference.most = std::max(difference.most, one);
    difference.mean += one / static_cast<double>(ours.at_us.size());
  }
  return difference;
}

/// Whether the times are the same.
bool compare(const std::string& workload, NodeId hosts) {
  const Topology fabric = ai_zone({.leaves = hosts / 16});
  const Router router(fabric, {.kind = RoutingKind::e_ecmp});
  const Flows flows = flows_of(router, workload);
  const Ended theirs = by_simgrid(fabric, flows), exact = by_assay(fabric, flows, 0),
              batched = by_assay(fabric, flows, default_batch);
  const Difference of_exact = difference_of(exact, theirs), of_batched = difference_of(batched, theirs);
  fmt::print("{} of {} hosts, {} flows: SimGrid {:.4g} s\n", workload, hosts, flows.ends.size(),
             theirs.wall_s);
  for (const auto& [name, ended, difference] :
       {std::tuple("at each end", exact, of_exact), {"in batches", batched, of_batched}})
    fmt::print("  assay, {}: {:.4g} s, {:.3g} times as fast; ends differ by {:.2g}, at most {:.2g}\n", name,
               ended.wall_s, theirs.wall_s / ended.wall_s, difference.mean, difference.most);
  return of_exact.most <= 1e-3 && of_batched.mean <= 0.02;
}

}  // namespace
}  // namespace assay::model::fabric

int main(int argc, char** argv) {
  std::string workload = "permutation";
  if (argc > 1) workload = argv[1];
  const unsigned hosts = argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 128;
  std::vector<const char*> settings = {argv[0],
                                       "--cfg=network/model:CM02",
                                       "--cfg=network/crosstraffic:0",
                                       "--cfg=network/TCP-gamma:0",
                                       "--cfg=network/bandwidth-factor:1",
                                       "--cfg=network/latency-factor:1",
                                       "--cfg=network/weight-S:0",
                                       "--log=root.thresh:warning"};
  int count = static_cast<int>(settings.size());
  simgrid::s4u::Engine engine(&count, const_cast<char**>(settings.data()));
  return assay::model::fabric::compare(workload, hosts) ? 0 : 1;
}
