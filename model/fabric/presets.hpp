// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Fabrics that clusters are built as. Each throws a usage Error naming what is not a count of at least 1.
#pragma once

#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

/// All hosts on one switch.
Topology star(std::uint32_t hosts, LinkSpeed speed = {});

/// Two tiers: every leaf (rack switch) has the same cables to every spine (cluster switch).
struct ZoneShape {
  std::uint32_t leaves = 1, gpus_per_leaf = 16, spines = 16, uplinks_per_spine = 1;
};
Topology ai_zone(const ZoneShape& shape, LinkSpeed speed = {});

/// Zones joined by aggregation switches, each of which has one cable to every spine of every zone.
struct DataCentreShape {
  std::uint32_t zones = 8;
  ZoneShape zone = {.leaves = 192};
  double ratio = 7;  // a zone's capacity down over its capacity up, above 0
};
/// A spine has the fewest uplinks of at most `speed` that reach the ratio, at the speed that gives it
/// exactly. Defaults: 24,576 GPUs (Llama team 2024, "The Llama 3 herd of models", 3.3.1: 8 pods of 192 racks,
/// 1:7; the numbers of spines and uplinks are not published). 256 racks a zone: 32,768 GPUs.
Topology data_centre(const DataCentreShape& shape = {}, LinkSpeed speed = {});

/// GPU i of every node of a group is on leaf i of the group; every leaf is on every spine.
struct RailShape {
  std::uint32_t groups = 1, nodes_per_group = 32, gpus_per_node = 8, spines = 16, uplinks_per_spine = 2;
};
Topology rail(const RailShape& shape, LinkSpeed speed = {});

/// Three tiers of switches of k ports, k^3/4 hosts (Al-Fares, Loukissas and Vahdat 2008, "A scalable,
/// commodity data center network architecture"). k is even.
Topology fat_tree(std::uint32_t ports, LinkSpeed speed = {});

/// One cable of an explicit list, by the names of its ends: a kind and a number, as "leaf3".
struct NamedCable {
  std::string lower, upper;
  LinkSpeed speed = {};
  std::uint32_t lower_port = 0, upper_port = 0;  // 0: not stated
};
/// Each kind is a tier: hosts have nothing below them, every other kind exactly one kind. Nodes of a kind are
/// numbered from 0 without gaps.
Topology from_cables(const std::vector<NamedCable>& cables);

}  // namespace assay::model::fabric
