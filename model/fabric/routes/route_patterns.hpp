// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Patterns of traffic by forwarding tables, a message a pair: how many meet on each link.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "model/fabric/forwarding_tables.hpp"

namespace assay::model::fabric::routes {

using HostPairs = std::vector<std::pair<NodeId, NodeId>>;
/// Hosts that cables join, in order. Each plane has a pattern of its own, and all run at once.
using Planes = std::vector<std::vector<NodeId>>;

/// Each host to the one `by` after it.
HostPairs shift_pairs(const Planes& planes, std::size_t by);
/// Each host to a drawn one; those drawn for themselves send nothing.
HostPairs drawn_permutation(const Planes& planes, std::mt19937_64& random);
/// Hosts of a drawn half, each to one of the other half.
HostPairs drawn_bisection(const Planes& planes, std::mt19937_64& random);

struct PatternPaths {
  std::vector<std::uint64_t> of_links;  // paths on each link between switches; 0 on others
  std::uint64_t worst = 0;              // of all links
  LinkId busiest = 0;                   // the first of them that has as many
  std::uint64_t undelivered = 0;        // pairs
};

/// Paths to the first LID of each receiver.
PatternPaths paths_of(const Topology& topology, const ForwardingTables& tables, const HostPairs& pairs);

/// Every host of a plane to every other one.
PatternPaths all_to_all_paths(const Topology& topology, const ForwardingTables& tables, const Planes& planes);

/// The longest that a host's own link takes for an all-to-all of a message a pair.
double hosts_time(const Topology& topology, const Planes& planes);
/// The longest that links between switches take over hosts_time(), at least 1; 1 where hosts send nothing.
double times_of_hosts(double switches_time, double hosts_time);

/// The mean over the pairs of the bandwidth that each has, of its host's: 1 over the most paths on any of its
/// links (Hoefler, Schneider and Lumsdaine 2008, "Multistage switches are not crossbars").
double bandwidth_of(const Topology& topology, const ForwardingTables& tables, const HostPairs& pairs);

}  // namespace assay::model::fabric::routes
