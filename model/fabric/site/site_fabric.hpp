// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A topology from the cables that a site's own tools list, with the site's names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/fabric/topology.hpp"

namespace assay::model::fabric::site {

/// One end of a cable: a port of a switch, or an adapter's port, which is a host of the topology.
struct SiteEnd {
  std::string node, port;
  bool is_switch = true;
  std::string full_port = {};      // where `port` is a short form: "mlx5_0/1" of "mlx5_0"
  std::uint64_t guid = 0;          // of the InfiniBand node; 0: not stated
  std::uint32_t lid = 0, lmc = 0;  // of an InfiniBand adapter's port; 0: not stated
};

struct SiteCable {
  SiteEnd one, other;
  double gbit_per_s = 0;   // 0: unknown
  std::size_t line = 0;    // of the file, where the cable is first named
  std::string place = {};  // "FILE:LINE", where the file is one of several
};

struct SiteFabric {
  Topology topology;
  std::vector<std::string> names;   // of every node: "nodename port" of hosts with several ports
  std::vector<SiteEnd> ports = {};  // of every host, which is a port; empty: names alone are known
  std::vector<std::uint64_t> switch_guids = {};  // of every switch of an InfiniBand list
  struct CablePorts {
    std::string lower, upper;
  };
  std::vector<CablePorts> cable_ports = {};  // of every cable, by its link up
  /// Nodes that are taken for hosts, have cables to two switches or more, and list none themselves.
  std::vector<std::string> unreported = {};
  std::vector<std::string> assumed = {};  // what the file does not say
  bool assumes_rates = false;             // of a cable or more
  std::vector<std::string> notes = {};    // what of the file is left out, or contradicts itself
};

/// A switch with a host is a leaf, unless more of its cables lead to switches with more hosts; every other
/// one is a tier above the lowest that it is cabled to, but for leaves whose hosts are off. Cables of unknown
/// speed have `speed`. Throws a usage Error that opens with file and line for a cable that joins two hosts, a
/// node with itself, or a port that has a cable already; with the file for switches that no host reaches and
/// where there is no host.
SiteFabric site_fabric(const std::vector<SiteCable>& cables, const std::string& file, LinkSpeed speed = {});

}  // namespace assay::model::fabric::site
