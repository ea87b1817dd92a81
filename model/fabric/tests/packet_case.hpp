// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Packet simulations whose routes and times are known: what the shared vectors call a case.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/fabric/sharing/occupancy.hpp"
#include "model/fabric/sharing/timeline.hpp"

namespace assay::model::fabric {

struct PacketCase {
  std::string name, topology, transport, routing;
  int hosts_in_all = 0, hosts_per_leaf = 0;
  std::optional<int> spines;
  double makespan_us = 0;
  double pause_above_bytes = 0;
  std::optional<double> window_bytes;
  std::vector<std::string> links;  // their names
  Paths paths;                     // empty ones where packets were sprayed
  std::vector<Message> messages;
  std::vector<Precedence> precedences;
  std::vector<double> end_us;
  std::vector<std::pair<int, int>> hosts;  // source and destination of each message
};

/// Reads a case of the shared vectors, which must be there.
PacketCase packet_case(const std::string& name);

/// Names of the cases in the vectors' index.
std::vector<std::string> names_of_cases();

inline constexpr double packet_goodput = 50000.0 * 4096 / 4160;  // bytes/us of a link of 400 Gbit/s

struct CaseErrors {
  double makespan = 0, mean = 0, mean_absolute = 0;  // relative
};
CaseErrors errors_of(const PacketCase& one, const Timeline& simulated);

/// With the case's routes, by occupancy.
Timeline simulate(const PacketCase& one);

/// Over all paths of the case's leaf-spine fabric, by max-min; a message ends with its last part.
Timeline simulate_sprayed(const PacketCase& one);

}  // namespace assay::model::fabric
