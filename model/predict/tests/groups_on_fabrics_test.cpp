// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Times of groups that share nodes against messages simulated on the same wiring: rings through all members
// of a node, one for each adapter, and all-to-alls at once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "model/fabric/simulate/simulation.hpp"
#include "model/predict/system/group.hpp"

namespace assay::model {
namespace {

using fabric::Operation, fabric::PairRound;

struct Placed {
  std::int64_t node, within, nodes, apart;  // GPUs of a node; members in one; nodes; every how many
  double gbit_per_s, nvlink_gb_per_s, bytes;

  std::int64_t ranks() const { return node * nodes * apart; }
  std::int64_t members() const { return within * nodes; }
  ProcessorGroup group() const {
    return {.tier = 1, .digits = {{{node / within, within}, {node * apart, nodes}}}};
  }
  std::string text() const {
    return fmt::format("{} of {} GPUs on each of {} nodes, every {}, {:.0f} Gb/s, NVLink {:.0f} GB/s", within,
                       node, nodes, apart, gbit_per_s, nvlink_gb_per_s);
  }
};

Placed placement(std::mt19937_64& random) {
  const auto pick = [&](std::initializer_list<std::int64_t> from) {
    return from.begin()[std::uniform_int_distribution<std::size_t>(0, from.size() - 1)(random)];
  };
  Placed placed{};
  placed.node = pick({2, 4, 8});
  do placed.within = pick({1, 2, 4, 8});
  while (placed.within > placed.node);
  placed.nodes = pick({2, 3, 4, 6, 8});
  placed.apart = pick({1, 2});
  placed.gbit_per_s = static_cast<double>(pick({100, 200, 400, 800}));
  placed.nvlink_gb_per_s = static_cast<double>(pick({100, 200, 450, 900}));
  placed.bytes = static_cast<double>(pick({256 << 20, 1 << 30}));
  return placed;
}

System system_of(const Placed& placed) {
  const std::array<Network::Operation, 4> ring = {{{1, 0}, {1, -1}, {1, -1}, {2, -1}}};
  System system;
  system.fixes = Fixes::all();
  system.networks = {
      {.bandwidth_b_per_s = placed.nvlink_gb_per_s * 1e9, .size = placed.node, .operations = ring},
      {.bandwidth_b_per_s =
           fabric::LinkSpeed{.gbit_per_s = placed.gbit_per_s, .hop_latency_us = 0}.goodput() * 1e6,
       .size = placed.ranks(),
       .operations = ring}};
  return system;
}

double simulated_s(const Placed& placed, const std::string& operation, const PairRound& pairs, double bytes) {
  const fabric::FabricFile wiring = fabric::parse_fabric(
      fmt::format(
          "preset = 'star'\nhosts = {}\nlink = {{ gbit_per_s = {}, hop_latency_us = 0 }}\nhost = {{ gpus "
          "= {}, nvlink_gb_per_s = {} }}\n",
          placed.ranks(), placed.gbit_per_s, placed.node, placed.nvlink_gb_per_s),
      "f.toml");
  fabric::WorkloadFile workload = fabric::parse_workload(
      fmt::format("ranks = {}\n[[stream]]\n[[stream.op]]\n{}", placed.ranks(), operation), "w.toml");
  Operation& only = workload.streams.front().operations.front();
  only.bytes = static_cast<std::uint64_t>(bytes);
  if (!pairs.empty()) {
    only.kind = fabric::OperationKind::listed;
    only.rounds = {pairs};
  }
  const fabric::Scenario scenario(wiring, workload);
  return simulate(scenario, {.sharing = fabric::SharingChoice::bound}).time_us.front() / 1e6;
}

/// A step of the rings of all groups: ring j leaves each node by the adapter of its member j.
PairRound ring_step(const Placed& placed) {
  const auto rank = [&](std::int64_t node, std::int64_t member, std::int64_t group) {
    return static_cast<std::uint32_t>(node * placed.node + member * (placed.node / placed.within) + group);
  };
  PairRound pairs;
  const std::int64_t k = placed.within, all_nodes = placed.nodes * placed.apart;
  for (std::int64_t group = 0; group < placed.node / k; ++group)
    for (std::int64_t node = 0; node < all_nodes; ++node)
      for (std::int64_t ring = 0; ring < k; ++ring)
        for (std::int64_t member = 0; member < k; ++member)
          if (member == ring)
            pairs.emplace_back(rank(node, member, group),
                               rank((node + placed.apart) % all_nodes, (ring + 1) % k, group));
          else
            pairs.emplace_back(rank(node, member, group), rank(node, (member + 1) % k, group));
  std::ranges::sort(pairs);
  return pairs;
}

/// An all-gather's steps are alike, and an all-reduce has twice as many.
double ring_s(const Placed& placed, Collective which) {
  const auto members = static_cast<double>(placed.members());
  const double piece = placed.bytes / members / static_cast<double>(placed.within);
  const double steps = (members - 1) * (which == Collective::all_reduce ? 2 : 1);
  return steps * simulated_s(placed, "pattern = 'incast'\nbytes = '1MiB'\n", ring_step(placed), piece);
}

double all_to_all_s(const Placed& placed) {
  const std::string groups =
      placed.within == 1 ? fmt::format("0:{}:{}:{}", placed.ranks(), placed.node * placed.apart, placed.nodes)
                         : fmt::format("0:{}:{}:{}:{}:{}", placed.ranks(), placed.node / placed.within,
                                       placed.within, placed.node * placed.apart, placed.nodes);
  return simulated_s(
      placed,
      fmt::format("collective = 'all_to_all'\nalgorithm = 'at_once'\ngroups = '{}'\nbytes = '1MiB'\n",
                  groups),
      {}, placed.bytes);
}

void expect_agreement(int placements, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int i = 0; i < placements; ++i) {
    const Placed placed = placement(random);
    SCOPED_TRACE(placed.text());
    const System system = system_of(placed);
    for (const Collective which : {Collective::all_gather, Collective::reduce_scatter, Collective::all_reduce,
                                   Collective::all_to_all}) {
      const double predicted_s = seconds(system, which, placed.bytes, placed.group());
      const double expected_s =
          which == Collective::all_to_all ? all_to_all_s(placed) : ring_s(placed, which);
      EXPECT_NEAR(predicted_s / expected_s, 1, 0.05) << collective_names[static_cast<std::size_t>(which)];
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(GroupsOnFabrics, TakeTheSimulatedTimeOnFortyPlacements) { expect_agreement(40, 20261201); }

TEST(GroupsOnFabrics, TakeTheSimulatedTimeOnTwoHundredPlacements) { expect_agreement(200, 77305); }

// 64 processors in nodes of 8: eight adapters carry what one does where a node has one member.
TEST(GroupsOnFabrics, OwnTheAdaptersOfTheirNodes) {
  System system = system_of({.node = 8,
                             .within = 8,
                             .nodes = 8,
                             .apart = 1,
                             .gbit_per_s = 400,
                             .nvlink_gb_per_s = 450,
                             .bytes = 0});
  const ProcessorGroup filled{.tier = 1, .digits = {{{1, 64}}}}, sparse{.tier = 1, .digits = {{{8, 64}}}};
  EXPECT_NEAR(seconds(system, Collective::all_gather, 1e9, sparse) /
                  seconds(system, Collective::all_gather, 1e9, filled),
              8, 1e-9);
  system.fixes.node_groups = false;
  EXPECT_EQ(seconds(system, Collective::all_gather, 1e9, sparse),
            seconds(system, Collective::all_gather, 1e9, filled));
}

// A group that would fit in one node but is placed over nodes has one member in each.
TEST(GroupsOnFabrics, ThatCouldShareOneNodeRunAsTheyArePlaced) {
  const System system = system_of({.node = 8,
                                   .within = 8,
                                   .nodes = 8,
                                   .apart = 1,
                                   .gbit_per_s = 400,
                                   .nvlink_gb_per_s = 450,
                                   .bytes = 0});
  const ProcessorGroup within{.tier = 1, .digits = {{{1, 8}}}};
  EXPECT_EQ(seconds(system, Collective::all_gather, 1e9, within),
            system.networks[1].seconds(Collective::all_gather, 1e9, 8));
}

}  // namespace
}  // namespace assay::model
