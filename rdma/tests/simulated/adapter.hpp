// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The adapters of a pretended node, one a rail: figures, addresses, planted faults and counters.
// ASSAY_SIMULATED_RAILS says how many there are. The figures are the simulation's own, chosen and not
// measured; a 400 Gb/s port gives the first.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <string>

namespace assay::rdma::simulated {

inline constexpr double port_bytes_per_s = 48.7e9;  // of payload, of 50e9 on the wire
inline constexpr double one_way_s = 0.95e-6;        // through two adapters and one leaf switch
inline constexpr double over_the_spine_s = 0.9e-6;  // more, between rails
inline constexpr double posting_s = 40e-9;          // of the processor, a message
inline constexpr double resend_s = 2e-6;            // until a link has sent again what came with errors
inline constexpr double spread_of_adapters = 0.002, spread_of_runs = 0.001,
                        spread_of_messages = 0.003;  // relative standard deviations

inline constexpr int most_rails = 16, most_nodes = 1024, most_ports = most_rails * most_nodes;

struct Adapter {
  int rail = 0;
  int port = 0;            // of all ports of the fabric
  int leaf = 0;            // the rail whose switch its cable leads to
  double bytes_per_s = 0;  // with the spread of adapters and faults
  std::uint64_t bad_message_of = 0;

  std::string name() const;  // mlx5_3
  ibv_gid gid() const;       // IPv4 10.LEAF.x.y: each rail has a subnet of its own
  std::string sysfs() const;
};

/// How many this process' node has.
int rails();
Adapter adapter_of(int rail);

/// Writes what the port has counted into the node's tree of files.
void write_symbol_errors(const Adapter& adapter, std::uint64_t count);

}  // namespace assay::rdma::simulated
