// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing/flow_hash.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "harness/core/error.hpp"
#include "harness/core/mix.hpp"
#include "model/fabric/load.hpp"
#include "model/fabric/presets.hpp"

namespace assay::model::fabric {
namespace {

using path::SwitchHash;

struct Fields {
  SwitchHash hash;
  bool with_queue_pair;
};

class LinearHash : public testing::TestWithParam<Fields> {};

/// Toeplitz's fields are the port and the QP number themselves.
TEST_P(LinearHash, IsThatOfTheWholeTuple) {
  const auto [hash, with_queue_pair] = GetParam();
  const Topology zone = ai_zone({.leaves = 40, .gpus_per_leaf = 16, .spines = 4});
  const FlowHash tables(zone, {.hash = hash, .with_queue_pair = with_queue_pair, .seed = 7});
  const FlowHash packed(zone, {.hash = SwitchHash::toeplitz, .with_queue_pair = with_queue_pair, .seed = 7});
  for (NodeId source = 0; source < 300; source += 7) {
    const FlowHash::FromSource tables_source(tables, source), packed_source(packed, source);
    for (NodeId destination = 300; destination < 640; destination += 11) {
      const std::uint64_t fields = packed_source.fields(destination, packed_source.ports(destination, 3));
      path::FiveTuple tuple{
          path::address_bytes("10.0." + std::to_string(source / 256) + "." + std::to_string(source % 256)),
          path::address_bytes("10.0." + std::to_string(destination / 256) + "." +
                              std::to_string(destination % 256)),
          static_cast<std::uint16_t>(fields & 0xFFFFU), std::nullopt};
      if (with_queue_pair) tuple.destination_qpn = static_cast<std::uint32_t>(fields >> 16U);
      const NodeId at = zone.leaf_of(source);
      const auto seed = static_cast<std::uint32_t>(core::mix64((std::uint64_t{at} << 32U) | 7U));
      const FlowHash::Flow flow{source, destination,
                                tables_source.fields(destination, tables_source.ports(destination, 3))};
      ASSERT_EQ(tables.at(flow, at), hash_of(tuple, hash, seed));
      ASSERT_EQ(packed.at({source, destination, fields}, at), hash_of(tuple, SwitchHash::toeplitz, seed));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, LinearHash,
                         testing::Values(Fields{SwitchHash::crc32, false}, Fields{SwitchHash::crc32, true},
                                         Fields{SwitchHash::xor_fold, false},
                                         Fields{SwitchHash::xor_fold, true}));

std::uint32_t hash_between(const HostAddresses& addresses, SwitchHash hash, const NodeId source,
                           const NodeId destination) {
  const Topology zone = ai_zone({.leaves = 2, .gpus_per_leaf = 2, .spines = 2});
  const FlowHash stated(
      zone, {.hash = hash, .seed = 7, .addresses = std::make_shared<const HostAddresses>(addresses)});
  const QueuePairPorts ports{49999, 0};
  const NodeId at = zone.leaf_of(source);
  const std::uint32_t found =
      stated.at({source, destination, FlowHash::FromSource(stated, source).fields(destination, ports)}, at);
  const auto seed = static_cast<std::uint32_t>(core::mix64((std::uint64_t{at} << 32U) | 7U));
  EXPECT_EQ(found, hash_of({addresses[source], addresses[destination], 49999, std::nullopt}, hash, seed));
  return found;
}

TEST(FlowHash, IsOfTheAddressesThatAreStated) {
  const auto bytes = [](const std::string& prefix) {
    HostAddresses addresses;
    for (const char* const end : {"1", "7", "20", "33"})
      addresses.push_back(path::address_bytes(prefix + end));
    return addresses;
  };
  for (const SwitchHash hash : {SwitchHash::crc32, SwitchHash::toeplitz, SwitchHash::xor_fold}) {
    const std::uint32_t first = hash_between(bytes("10.1.2."), hash, 0, 3);
    EXPECT_NE(first, hash_between(bytes("10.1.3."), hash, 0, 2));
    hash_between(bytes("fd00::"), hash, 1, 3);
  }
}

TEST(FlowHash, RefusesAddressesOfBothLengthsAndTooFew) {
  const Topology two = star(2);
  const auto made = [&](const HostAddresses& addresses) {
    FlowHash(two, {.addresses = std::make_shared<const HostAddresses>(addresses)});
  };
  EXPECT_THROW(made({path::address_bytes("10.0.0.1")}), core::Error);
  EXPECT_THROW(made({path::address_bytes("10.0.0.1"), path::address_bytes("fd00::1")}), core::Error);
}

class EveryWay : public testing::TestWithParam<RoutingSettings> {};

TEST_P(EveryWay, AddsWhatTheRoutesCarry) {
  Topology centre =
      data_centre({.zones = 3, .zone = {.leaves = 6, .gpus_per_leaf = 5, .spines = 4}, .ratio = 2});
  centre.fail_cable(centre.link_named("leaf3>spine1"));
  const Router router(centre, GetParam());
  std::vector<double> bytes(centre.links());
  Load load(router);
  for (NodeId source = 0; source < centre.hosts(); ++source)
    for (NodeId destination = 0; destination < centre.hosts(); destination += 1 + source % 3) {
      if (destination == source) continue;
      load.add(source, destination, 1000 + destination, 2);
      int part = 0;
      router.route(source, destination, 1000 + destination, 2,
                   [&](std::span<const LinkId> path, std::uint64_t amount) {
                     for (const LinkId link : path) bytes[link] += static_cast<double>(amount);
                     const QueuePairPorts ports = router.ports_of(source, destination, 2, part++);
                     ASSERT_TRUE(std::ranges::equal(path, router.path_of(source, destination, ports)));
                   });
    }
  EXPECT_EQ(load.bytes_of_links(), bytes);
}

INSTANTIATE_TEST_SUITE_P(
    Routings, EveryWay,
    testing::Values(RoutingSettings{.kind = RoutingKind::ecmp},
                    RoutingSettings{.kind = RoutingKind::e_ecmp, .queue_pairs = 7},
                    RoutingSettings{.kind = RoutingKind::pinned, .queue_pairs = 2},
                    RoutingSettings{.kind = RoutingKind::ecmp, .hash = SwitchHash::crc32, .queue_pairs = 3},
                    RoutingSettings{
                        .kind = RoutingKind::e_ecmp, .hash = SwitchHash::toeplitz, .queue_pairs = 3},
                    RoutingSettings{.kind = RoutingKind::e_ecmp, .hash = SwitchHash::xor_fold}));

TEST(Load, ThePairThatIsNamedDoesNotDependOnThreads) {
  Topology zone = ai_zone({.leaves = 16, .gpus_per_leaf = 4, .spines = 1});
  zone.fail_cable(zone.link_named("leaf9>spine0"));
  const Router router(zone, {});
  const EachMessage to_next_leaf = [](NodeId source, const std::function<void(NodeId, std::uint64_t)>& send) {
    send((source + 4) % 64, 1);
  };
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::string message;
    try {
      load_of(router, to_next_leaf, threads);
    } catch (const std::exception& error) {
      message = error.what();
    }
    EXPECT_NE(message.find("separate host32 from host36"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace assay::model::fabric
