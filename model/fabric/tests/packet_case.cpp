// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/tests/packet_case.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "model/fabric/presets.hpp"
#include "model/fabric/routing/routing.hpp"
#include "model/fabric/sharing/max_min.hpp"
#include "model/fabric/sharing/timeline_parts.hpp"
#include "model/fabric/tests/vectors.hpp"

namespace assay::model::fabric {

namespace {

std::vector<std::string> split(const std::string& line, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

void read_settings(PacketCase& one) {
  for (const nlohmann::json& entry : vector_json("index.json")) {
    if (entry.at("name") != one.name) continue;
    one.topology = entry.at("topology").get<std::string>();
    one.transport = entry.at("transport").get<std::string>();
    one.routing = entry.at("routing").get<std::string>();
    one.hosts_in_all = entry.at("hosts").get<int>();
    one.hosts_per_leaf = entry.at("hosts_per_leaf").get<int>();
    if (entry.contains("spines") && !entry.at("spines").is_null()) one.spines = entry.at("spines").get<int>();
    one.makespan_us = entry.at("makespan_us").get<double>();
    if (entry.contains("pfc_xoff_packets"))
      one.pause_above_bytes = 4096 * entry.at("pfc_xoff_packets").get<double>();
    if (entry.contains("window_bytes") && !entry.at("window_bytes").is_null())
      one.window_bytes = entry.at("window_bytes").get<double>();
  }
}

/// Propagation there and back, and the last packet stored at every hop but the first.
double latency_us(std::size_t hops) {
  return 2.0 * static_cast<double>(hops) + (static_cast<double>(hops) - 1) * 0.0832;
}

}  // namespace

PacketCase packet_case(const std::string& name) {
  PacketCase one;
  one.name = name;
  read_settings(one);
  std::map<std::string, LinkId> numbers;
  std::istringstream lines(vector_text(name + ".csv"));
  std::string line;
  std::getline(lines, line);  // id,src,dst,bytes,after,route,fct_us
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = split(line, ',');
    std::vector<LinkId> path;
    for (const std::string& link : split(cells[5], ' ')) {
      const auto [at, is_new] = numbers.try_emplace(link, static_cast<LinkId>(numbers.size()));
      if (is_new) one.links.push_back(link);
      path.push_back(at->second);
    }
    const auto flow = static_cast<FlowId>(one.messages.size());  // its id less 1
    one.paths.append(path);
    one.messages.push_back({.bytes = std::stod(cells[3]), .latency_us = latency_us(path.size())});
    if (!cells[4].empty()) one.precedences.push_back({static_cast<FlowId>(std::stoul(cells[4]) - 1), flow});
    one.end_us.push_back(std::stod(cells[6]));
    one.hosts.emplace_back(std::stoi(cells[1]), std::stoi(cells[2]));
  }
  return one;
}

std::vector<std::string> names_of_cases() {
  std::vector<std::string> names;
  for (const nlohmann::json& entry : vector_json("index.json"))
    names.push_back(entry.at("name").get<std::string>());
  return names;
}

CaseErrors errors_of(const PacketCase& one, const Timeline& simulated) {
  CaseErrors errors{.makespan = simulated.makespan_us() / one.makespan_us - 1};
  double sum = 0, simulated_sum = 0;
  for (std::size_t flow = 0; flow < one.end_us.size(); ++flow) {
    sum += one.end_us[flow];
    simulated_sum += simulated.end_us[flow];
    errors.mean_absolute += std::abs(simulated.end_us[flow] / one.end_us[flow] - 1);
  }
  errors.mean = simulated_sum / sum - 1;
  errors.mean_absolute /= static_cast<double>(one.end_us.size());
  return errors;
}

Timeline simulate(const PacketCase& one) {
  std::vector<SenderSettings> senders;
  for (std::size_t flow = 0; flow < one.messages.size(); ++flow) {
    const double bytes = one.messages[flow].bytes;
    const auto hops = static_cast<double>(one.paths[flow].size());
    const double round_trip_us = hops * (2.0 + 0.0832);
    const double window = one.window_bytes.value_or(bytes);
    const double demand =
        one.window_bytes ? std::min(packet_goodput, window / round_trip_us) : packet_goodput;
    senders.push_back({.in_flight_bytes = std::min(window, bytes), .demand = demand});
  }
  const auto rule = [&](const TimelinePart& part, unsigned threads) -> SharingRule {
    std::vector<SenderSettings> own;
    for (const FlowId flow : part.flows) own.push_back(senders[flow]);
    const auto occupancy = std::make_shared<Occupancy>(
        part.paths, std::vector<QueueSettings>(part.links.size(), {packet_goodput, one.pause_above_bytes}),
        std::move(own), threads);
    return [occupancy](std::span<const FlowId> flows, std::span<double> rates) {
      occupancy->share(flows, rates);
    };
  };
  return timeline_in_parts(one.messages, one.precedences, one.paths, one.links.size(), rule);
}

Timeline simulate_sprayed(const PacketCase& one) {
  const Topology zone = ai_zone({.leaves = static_cast<std::uint32_t>(one.hosts_in_all / one.hosts_per_leaf),
                                 .gpus_per_leaf = static_cast<std::uint32_t>(one.hosts_per_leaf),
                                 .spines = static_cast<std::uint32_t>(one.spines.value())});
  const Router router(zone, {.kind = RoutingKind::adaptive});
  Paths paths;
  std::vector<Message> parts;
  std::vector<std::size_t> message_of_part;
  for (std::size_t message = 0; message < one.messages.size(); ++message)
    router.route(
        static_cast<NodeId>(one.hosts[message].first), static_cast<NodeId>(one.hosts[message].second),
        static_cast<std::uint64_t>(one.messages[message].bytes), 0,
        [&](std::span<const LinkId> path, std::uint64_t bytes) {
          paths.append(path);
          parts.push_back({.bytes = static_cast<double>(bytes), .latency_us = latency_us(path.size())});
          message_of_part.push_back(message);
        });
  std::vector<double> capacities = sprayed_capacities(zone);
  for (double& capacity : capacities) capacity *= packet_goodput / LinkSpeed{}.goodput();
  MaxMin rule(paths, capacities);
  const Timeline of_parts =
      timeline_of(parts, {}, paths, zone.links(),
                  [&](std::span<const FlowId> flows, std::span<double> rates) { rule.share(flows, rates); });
  Timeline timeline{.start_us = std::vector<double>(one.messages.size()),
                    .end_us = std::vector<double>(one.messages.size()),
                    .solves = of_parts.solves};
  for (std::size_t part = 0; part < parts.size(); ++part) {
    double& end_us = timeline.end_us[message_of_part[part]];
    end_us = std::max(end_us, of_parts.end_us[part]);
  }
  return timeline;
}

}  // namespace assay::model::fabric
