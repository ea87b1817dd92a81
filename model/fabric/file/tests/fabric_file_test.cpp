// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/fabric_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "model/fabric/file/build_fabric.hpp"

namespace assay::model::fabric {
namespace {

using testing::HasSubstr;

constexpr const char* zone_text = R"(name = "zone"
preset = "ai-zone"
leaves = 192
gpus_per_leaf = 16
spines = 16
uplinks_per_spine = 1
link = { gbit_per_s = 400, metres = 30, hop_latency_us = 0.6 }
host = { nics = 8, gpus = 8, nvlink_gb_per_s = 450 }
switch = { buffer = "static", xoff = "512KiB", xon = "400KiB" }
routing = { kind = "e-ecmp", hash = "crc32", queue_pairs = 16 }
admission = { channels = 8, buffer = "512KiB", wait_us = 4 }
[[failed]]
link = "leaf3>spine7"
[[degraded]]
link = "leaf9>host150"
factor = 0.25
)";

TEST(FabricFile, ReadsEveryPartOfTheExample) {
  const FabricFile fabric = parse_fabric(zone_text, "zone.toml");
  EXPECT_EQ(fabric.name, "zone");
  EXPECT_DOUBLE_EQ(fabric.link.hop_latency_us, 0.75) << "0.6 us and 30 m at 5 ns";
  EXPECT_EQ(fabric.routing.kind, RoutingKind::e_ecmp);
  EXPECT_EQ(fabric.routing.hash, path::SwitchHash::crc32);
  EXPECT_EQ(fabric.routing.queue_pairs, 16);
  EXPECT_DOUBLE_EQ(fabric.admission->window_bytes(), 8 * 524288);
  EXPECT_DOUBLE_EQ(*fabric.server.nvlink_bytes_per_us, 450e3);
  EXPECT_THAT(fabric.assumed, testing::ElementsAre("hosts with addresses from 10.0.0.0 on",
                                                   "ports that reach the 49.0 GB/s that headers leave",
                                                   "messages without overhead", "no gap between messages"));
  const Topology zone = topology_of(fabric);
  EXPECT_EQ(zone.hosts(), 3072U);
  EXPECT_FALSE(zone.live(zone.link_named("spine7>leaf3")));
  const LinkId slow = zone.link_named("leaf9>host150");
  EXPECT_DOUBLE_EQ(zone.capacity(slow), zone.capacity(zone.reverse(slow)) / 4);
}

TEST(FabricFile, ReadsTheAddressesThatSwitchesHash) {
  const FabricFile fabric = parse_fabric(
      "preset = 'ai-zone'\nleaves = 2\nhost = { addresses = '10.1.[0-1].[1-16]' }\nrouting.hash = 'crc32'",
      "a.toml");
  ASSERT_TRUE(fabric.routing.addresses);
  EXPECT_EQ(fabric.routing.addresses->size(), 32U);
  EXPECT_EQ((*fabric.routing.addresses)[17], path::address_bytes("10.1.1.2"));
  EXPECT_THAT(fabric.assumed, testing::Not(testing::Contains(HasSubstr("addresses"))));
}

struct Preset {
  const char *name, *text;
  std::uint32_t hosts;
};
std::ostream& operator<<(std::ostream& out, const Preset& one) { return out << one.name; }

class EveryPreset : public testing::TestWithParam<Preset> {};

TEST_P(EveryPreset, HasItsGpus) {
  const FabricFile fabric = parse_fabric(GetParam().text, "a.toml");
  EXPECT_EQ(topology_of(fabric).hosts(), GetParam().hosts);
  EXPECT_THAT(fabric.assumed, testing::SizeIs(7))
      << "links, switches, routing, goodput, hops, overheads and gaps were not stated";
}

INSTANTIATE_TEST_SUITE_P(
    FabricFile, EveryPreset,
    testing::Values(
        Preset{"star", "preset = 'star'\nhosts = 64", 64},
        Preset{"zone", "preset = 'ai-zone'\nleaves = 4", 64},
        Preset{"zone_by_gpus", "preset = 'ai-zone'\ngpus = 4096", 4096},
        Preset{"data_centre", "preset = 'data-centre'\nzones = 2", 6144},
        Preset{"data_centre_by_gpus", "preset = 'data-centre'\ngpus = 24576", 24576},
        Preset{"rail", "preset = 'rail'\ngroups = 2", 512},
        Preset{"fat_tree", "preset = 'fat-tree'\nports = 8", 128},
        Preset{"links",
               "preset = 'links'\nlinks = ['host0>leaf0', 'host1>leaf1', 'leaf0>spine0', 'leaf1>spine0']",
               2}),
    [](const auto& preset) { return std::string(preset.param.name); });

TEST(FabricFile, AKeyOfTheCommandLineReplacesOneOfTheFile) {
  const std::vector<KeyValue> replaced = {key_value("queue_pairs=4", "--set"),
                                          key_value("routing=spray", "--set"), key_value("leaves=8", "--set"),
                                          key_value("xoff=1MiB", "--set"),
                                          key_value("host.overhead_us=2.5", "--set")};
  const FabricFile fabric = parse_fabric(zone_text, "zone.toml", replaced);
  EXPECT_EQ(fabric.routing.queue_pairs, 4);
  EXPECT_EQ(fabric.routing.kind, RoutingKind::adaptive);
  EXPECT_EQ(std::get<ZoneShape>(fabric.shape).leaves, 8U);
  EXPECT_DOUBLE_EQ(fabric.switches.pause_above_bytes, 1048576);
  EXPECT_DOUBLE_EQ(fabric.server.overhead_us, 2.5);
}

struct Refused {
  const char *text, *message;
};

std::string said_of(const Refused& one, std::vector<KeyValue> replaced = {}) {
  try {
    static_cast<void>(topology_of(parse_fabric(one.text, "a.toml", replaced)));
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

class RefusedFabric : public testing::TestWithParam<Refused> {};

TEST_P(RefusedFabric, IsRefusedWithFileKeyAndWhatWasExpected) {
  const std::string said = said_of(GetParam());
  EXPECT_THAT(said, HasSubstr(GetParam().message));
  EXPECT_THAT(said, HasSubstr("a.toml:"));
  EXPECT_THAT(said, testing::Not(HasSubstr("\n")));
}

#define STAR "preset = 'star'\nhosts = 8\n"
#define ZONE "preset = 'ai-zone'\nleaves = 2\n"
INSTANTIATE_TEST_SUITE_P(
    Values, RefusedFabric,
    testing::Values(
        Refused{"leaves = 2", "a.toml:1: preset: missing: expected star, ai-zone"},
        Refused{"preset = 'ai-zon'",
                "a.toml:1: preset: 'ai-zon' is unknown (expected star, ai-zone, data-centre, "
                "rail, fat-tree, links); did you mean ai-zone?"},
        Refused{ZONE "uplink_per_spine = 2", "a.toml:3: uplink_per_spine: unknown key"},
        Refused{ZONE "uplink_per_spine = 2", "did you mean uplinks_per_spine?"},
        Refused{STAR "spines = 2", "a.toml:3: spines: unknown key"},
        Refused{STAR "link = { gbit_per_s = 0 }",
                "a.toml:3: link.gbit_per_s: expected a number above 0, got 0"},
        Refused{STAR "link = { gbit_per_s = -1 }", "link.gbit_per_s: expected a number above 0, got -1"},
        Refused{STAR "link = { gbit_per_s = nan }", "link.gbit_per_s: expected a number above 0"},
        Refused{STAR "link = { gbit_per_s = inf }", "link.gbit_per_s: expected a number above 0"},
        Refused{STAR "link = { gbit_per_s = '400' }", "link.gbit_per_s: expected a number above 0"},
        Refused{STAR "link = 400", "link: expected a table"},
        Refused{STAR "link = { hop_latency_us = -0.1 }", "expected a number of at least 0, got -0.1"},
        Refused{"preset = 'star'\nhosts = 0", "a.toml:2: hosts: expected a whole number from 1 to"},
        Refused{"preset = 'star'\nhosts = 8.5", "hosts: expected a whole number from 1"},
        Refused{"preset = 'star'", "hosts: missing: expected a whole number of at least 1, or gpus"},
        Refused{"preset = 'fat-tree'\nports = 7", "ports: expected an even number, got 7"},
        Refused{"preset = 'ai-zone'\ngpus = 100", "gpus: 100 GPUs do not divide by 16"},
        Refused{ZONE "gpus = 100", "gpus: 100 stated, and the shape has 32"},
        Refused{ZONE "gpus_per_leaf = 12\nhost = { gpus = 16, nvlink_gb_per_s = 450 }",
                "host.gpus: 24 GPUs do not divide into servers of 16"},
        Refused{
            ZONE "host = { gpus = 5 }",
            "a.toml:3: host.gpus: 32 GPUs do not divide into servers of 5: expected a number that divides"},
        Refused{ZONE "host = { nics = 4, gpus = 8 }",
                "host.nics: 4 for 8 GPUs: expected one NIC port for each"},
        Refused{ZONE "nodes = 'n[1-3]'", "a.toml:3: nodes: 3 names for 32 GPUs in servers of 8"},
        Refused{ZONE "nodes = 'n[1-3],n2'", "nodes: n2 is named twice"},
        Refused{ZONE "nodes = 'n[1-'", "a.toml:3: nodes: "},
        Refused{STAR "host = { addresses = '10.1.0.[1-7]' }",
                "a.toml:3: host.addresses: 7 for 8 GPUs: expected one for each"},
        Refused{STAR "host = { addresses = '10.1.0.[1-8' }", "a.toml:3: host.addresses: the brackets"},
        Refused{STAR "host = { addresses = '10.1.0.[249-256]' }",
                "host.addresses: expected IPv4 or IPv6 addresses, got '10.1.0.256'"},
        Refused{STAR "host = { addresses = '10.1.0.[1-7],10.1.0.3' }", "10.1.0.3 is there twice"},
        Refused{STAR "host = { addresses = '10.1.0.[1-7],fd00::3' }",
                "expected all IPv4 or all IPv6, got 10.1.0.1 and fd00::3"},
        Refused{ZONE "radix = 24", "radix: leaf0 has 32 ports, expected at most 24"},
        Refused{"preset = 'data-centre'\nzones = 2\nratio = 0", "ratio: expected a number above 0, got 0"},
        Refused{"preset = 'data-centre'\nzones = 2\nratio = 1e9",
                "ratio: 1000000000 leaves no sound capacity"},
        Refused{"preset = 'ai-zone'\nleaves = 400000\nspines = 4000", "needs 1985.6 GiB"},
        Refused{"preset = 'ai-zone'\nleaves = 400000\nspines = 4000", "lower the number of leaves"},
        Refused{"preset = 'star", "not TOML"}));

INSTANTIATE_TEST_SUITE_P(
    Buffers, RefusedFabric,
    testing::Values(
        Refused{STAR "switch = { xoff = '512KiB', xon = '512KiB' }",
                "switch.xon: 524288 bytes do not resume"},
        Refused{STAR "switch = { xoff = '4000B', xon = '1KiB' }",
                "switch.xoff: 4000 bytes are below one packet"},
        Refused{STAR "switch = { xoff = 524288 }", "switch.xoff: expected a size with its unit"},
        Refused{STAR "switch = { xoff = '524288' }", "switch.xoff: expected a size with its unit"},
        Refused{STAR "switch = { xoff = '0KiB' }", "switch.xoff: expected a size above 0"},
        Refused{STAR "switch = { xoff = '1KiX' }", "switch.xoff: '1KiX' is not a size"},
        Refused{STAR "switch = { xoff = '1MiB', headroom = '8MiB', memory = '4MiB' }",
                "switch.headroom: a port needs 9437184 bytes"},
        Refused{STAR "switch = { xoff = '1MiB', memory = '4MiB' }",
                "switch.memory: the 8 ports of leaf0 need"},
        Refused{STAR "switch = { buffer = 'shared' }", "switch.memory: missing"},
        Refused{STAR "dcqcn = { pmax = 0.1 }", "dcqcn: its settings are of no use: expected congestion"},
        Refused{STAR "congestion = 'dcqcn'\ndcqcn = { kmin = '3MiB' }",
                "dcqcn.kmin: packets are marked from 3145728 bytes and all from 2000000"},
        Refused{STAR "congestion = 'dcqcn'\ndcqcn = { kmaks = '3MiB' }", "dcqcn.kmaks"},
        Refused{STAR "congestion = 'dcqcn'\ndcqcn = { timer_us = 0 }",
                "dcqcn.timer_us: expected a number above 0"},
        Refused{STAR "admission = { channels = 2 }", "admission.buffer: missing"},
        Refused{STAR "admission = { channels = 1, buffer = '4000B' }",
                "admission.buffer: a window of 4000 bytes is below one packet"}));

INSTANTIATE_TEST_SUITE_P(
    RoutingAndFaults, RefusedFabric,
    testing::Values(
        Refused{STAR "routing = { hash = 'crc16' }",
                "routing.hash: 'crc16' is unknown (expected ideal, crc32"},
        Refused{STAR "routing = { kind = 'spray', reordering = 'go-back-n' }",
                "routing.reordering: go-back-n"},
        Refused{STAR "routing = { kind = 'ecmp', te_plan = 'stale' }",
                "routing.te_plan: there is a plan with kind te alone"},
        Refused{STAR "routing = { kind = 'te', te_interval_s = 0 }",
                "routing.te_interval_s: expected a number above 0"},
        Refused{STAR "routing = { queue_pairs = 0 }", "routing.queue_pairs: expected a whole number from 1"},
        Refused{STAR "routing = { spray_efficiency = 1.5 }",
                "expected a number above 0 and at most 1, got 1.5"},
        Refused{STAR "[[failed]]\nlink = 'leaf0>spine0'", "a.toml:4: failed.link: there is no node 'spine0'"},
        Refused{STAR "[[failed]]\nswitch = 'host1'", "failed.switch: host1 is not a switch"},
        Refused{ZONE "[[failed]]\nfraction = 1",
                "failed.fraction: expected a number above 0 and below 1, got 1"},
        Refused{ZONE "[[failed]]\nfraction = 0",
                "failed.fraction: expected a number above 0 and below 1, got 0"},
        Refused{ZONE "[[failed]]\nseed = 1", "failed.link: expected one of link, switch and fraction"},
        Refused{ZONE "[[degraded]]\nlink = 'leaf0>spine0'", "degraded.factor: missing"},
        Refused{ZONE "[[degraded]]\nlink = 'leaf0>spine0'\nfactor = 0",
                "degraded.factor: expected a number above 0"},
        Refused{ZONE "failed = 'leaf0'", "failed: expected tables [[failed]]"},
        Refused{"preset = 'links'\nlinks = ['host0-leaf0']", "links: 'host0-leaf0' is not a link"},
        Refused{"preset = 'links'\nlinks = [1]", "links: expected text, or a list of texts"},
        Refused{"preset = 'links'\nlinks = ['gpu0>leaf0', 'leaf0>gpu0']", "has no order of tiers"}));
#undef STAR
#undef ZONE

TEST(FabricFile, NamesTheFlagOfAKeyThatItReplaced) {
  const Refused one{"preset = 'star'\nhosts = 8", ""};
  EXPECT_THAT(said_of(one, {{"routing.hash", "md5"}}), HasSubstr("--set routing.hash: 'md5' is unknown"));
  EXPECT_THAT(said_of(one, {{"hosts.gpus", "8"}}),
              HasSubstr("--set hosts.gpus: 'hosts' is not a table of keys"));
  EXPECT_THAT(said_of(one, {{"routing.hash", "md5", "--vary"}}),
              HasSubstr("--vary routing.hash: 'md5' is unknown"));
  EXPECT_THAT(said_of(one, {{"hosts.gpus", "8", "--vary"}}), HasSubstr("--vary hosts.gpus: 'hosts' is not"));
  EXPECT_THAT(said_of(one, {{"rooting.kind", "ecmp"}}), HasSubstr("--set rooting: unknown key"));
  EXPECT_THROW(key_value("queue_pairs", "--set"), core::Error);
  EXPECT_THROW(key_value("=4", "--set"), core::Error);
}

TEST(FabricFile, AMegabyteOnOneLineIsRefusedInOneShortLine) {
  const std::string text = "preset = '" + std::string(1 << 20, 'x') + "'";
  const std::string said = said_of({text.c_str(), ""});
  EXPECT_THAT(said, HasSubstr("preset"));
  EXPECT_LT(said.size(), 5000U);
}

}  // namespace
}  // namespace assay::model::fabric
