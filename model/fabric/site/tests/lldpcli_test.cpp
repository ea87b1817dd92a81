// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/lldp/lldpcli.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "harness/core/files/folder_text.hpp"
#include "model/fabric/site/lldp/lldp_site.hpp"
#include "model/fabric/site/tests/refused.hpp"

namespace assay::model::fabric::site {
namespace {

namespace fs = std::filesystem;

struct Neighbour {
  std::string interface, name, kind, port, description, capability;
  std::string rate = {};
};

/// The output of lldpcli for these neighbours in one of its formats.
using Format = std::function<std::string(const std::vector<Neighbour>&)>;

std::string member_of_json(const Neighbour& one) {
  const std::string rate =
      one.rate.empty() ? "" : R"(, "auto-negotiation": {"supported": true, "current": ")" + one.rate + "\"}";
  return "{\"" + one.interface + R"(": {"via": "LLDP", "rid": "1", "chassis": {")" + one.name +
         R"(": {"id": {"type": "mac", "value": "0c:00:00:00:00:01"}, "capability": [{"type": "Wlan", "enabled": false}, {"type": ")" +
         one.capability + R"(", "enabled": true}]}}, "port": {"id": {"type": ")" + one.kind +
         R"(", "value": ")" + one.port + R"("}, "descr": ")" + one.description + "\", \"ttl\": \"120\"" +
         rate + "}}}";
}

std::string json(const std::vector<Neighbour>& neighbours) {
  if (neighbours.empty()) return "{\n  \"lldp\": {\n  }\n}\n";
  std::string all = member_of_json(neighbours[0]);
  for (std::size_t at = 1; at < neighbours.size(); ++at) all += "," + member_of_json(neighbours[at]);
  return "{\n  \"lldp\": {\n \"interface\": " + (neighbours.size() == 1 ? all : "[" + all + "]") +
         "\n  }\n}\n";
}

std::string json0(const std::vector<Neighbour>& neighbours) {
  if (neighbours.empty()) return "{\n  \"lldp\": [\n {\n }\n ]\n}\n";
  std::string all;
  for (const Neighbour& one : neighbours)
    all += std::string(all.empty() ? "" : ",") + R"({"name": ")" + one.interface +
           R"(", "chassis": [{"id": [{"type": "mac", "value": "0c:00:00:00:00:01"}], "name": [{"value": ")" +
           one.name + R"("}], "capability": [{"type": ")" + one.capability +
           R"(", "enabled": true}]}], "port": [{"id": [{"type": ")" + one.kind + R"(", "value": ")" +
           one.port + R"("}], "descr": [{"value": ")" + one.description +
           R"("}], "auto-negotiation": [{"current": [{"value": ")" + one.rate + "\"}]}]}]}";
  return "{\n  \"lldp\": [{\"interface\": [" + all + "]}]\n}\n";
}

std::string keyvalue(const std::vector<Neighbour>& neighbours) {
  std::string all;
  for (const Neighbour& one : neighbours) {
    const std::string opening = "lldp." + one.interface + ".";
    for (const std::string& line :
         {std::string("via=LLDP"), std::string("rid=1"), std::string("chassis.mac=0c:00:00:00:00:01"),
          "chassis.name=" + one.name, std::string("chassis.Wlan.enabled=off"),
          "chassis." + one.capability + ".enabled=on", "port." + one.kind + "=" + one.port,
          "port.descr=" + one.description, "port.auto-negotiation.current=" + one.rate})
      all += opening + line + "\n";
  }
  return all;
}

const std::vector<std::pair<std::string, Format>> formats = {
    {"json", json}, {"json0", json0}, {"keyvalue", keyvalue}};

class Folder {
 public:
  Folder() : path_(testing::TempDir() + "lldp_" + std::to_string(getpid())) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  void add(const std::string& file, const std::string& text) const {
    std::ofstream(path_ + "/" + file) << text;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Two leaves with a host each and a spine; Linux sends addresses as identifiers of ports.
void add_site(const Folder& folder, const std::string& ending, const Format& format) {
  folder.add("leaf1." + ending, format({{"swp1", "node1", "mac", "0c:00:00:00:01:00", "eth0", "Station"},
                                        {"swp49", "spine1", "mac", "0c:00:00:00:09:01", "swp1", "Router"}}));
  folder.add("leaf2." + ending,
             format({{"swp1", "node2", "ifname", "eth0", "to the leaf", "Station", "100GbaseCR4"},
                     {"swp49", "spine1.dc", "local", "514", "swp2", "Router"}}));
  folder.add("spine1." + ending, format({{"swp1", "leaf1", "mac", "0c:00:00:00:08:49", "swp49", "Bridge"},
                                         {"swp2", "leaf2", "mac", "0c:00:00:00:07:49", "swp49", "Bridge"}}));
  folder.add("node1." + ending, format({{"eth0", "leaf1", "mac", "0c:00:00:00:08:01", "swp1", "Bridge"}}));
  folder.add("node3." + ending, format({}));
}

TEST(Lldpcli, MergesAFolderOfSystemsInEveryFormat) {
  for (const auto& [ending, format] : formats) {
    const Folder folder;
    add_site(folder, ending, format);
    const SiteFabric fabric = read_lldp(folder.path());
    EXPECT_EQ(fabric.topology.hosts(), 2U) << ending;
    EXPECT_EQ(fabric.topology.links(), 2U * 4U) << ending;
    EXPECT_EQ(fabric.topology.tiers(), 3U) << ending;
    EXPECT_DOUBLE_EQ(fabric.topology.capacity(1), LinkSpeed{.gbit_per_s = 100}.goodput()) << ending;
    EXPECT_EQ(fabric.assumed.back(),
              "the rate of 3 of 4 cables is assumed, 400 Gbit/s: " + folder.path() + " does not state it");
  }
}

TEST(Lldpcli, MergesAFolderThatIsOneText) {
  for (const auto& [ending, format] : formats) {
    const Folder folder;
    add_site(folder, ending, format);
    const SiteFabric there = read_lldp(folder.path());
    const SiteFabric here = parse_lldp(core::folder_as_text(folder.path()).value(), folder.path());
    EXPECT_EQ(here.names, there.names) << ending;
    EXPECT_EQ(here.assumed, there.assumed) << ending;
    EXPECT_EQ(here.topology.links(), 2U * 4U) << ending;
  }
  expect_refused([](const std::string& text) { parse_lldp(text, "lists"); }, "==> a.md <==\n# Notes\n",
                 "lists/a.md: expected what lldpcli prints");
}

TEST(Lldpcli, TakesASystemsNameOfItsChassisBeforeThatOfTheFile) {
  const std::string own = "local-chassis.chassis.mac=0c:aa\nlocal-chassis.chassis.name=leaf1.dc\n";
  const std::string neighbours = keyvalue({{"swp1", "node1", "ifname", "eth0", "eth0", "Station"}});
  const Folder folder;
  folder.add("10.0.0.7.keyvalue", neighbours);
  folder.add("10.0.0.7-chassis.keyvalue", own);
  folder.add("node1.json", json({{"eth0", "leaf1", "ifname", "swp1", "swp1", "Bridge"}}));
  EXPECT_EQ(read_lldp(folder.path()).topology.links(), 2U);
  EXPECT_EQ(parse_lldp(own + neighbours, "any").names, (std::vector<std::string>{"node1", "leaf1.dc"}));
  EXPECT_EQ(parse_lldp(neighbours, "x/leaf7.keyvalue").names, (std::vector<std::string>{"node1", "leaf7"}));
  const std::string chassis =
      "{\n \"local-chassis\": {\"chassis\": {\"leaf9\": {\"id\": {\"type\": \"mac\"}}}}\n}\n";
  EXPECT_EQ(
      parse_lldp(json({{"swp1", "node1", "ifname", "eth0", "", "Station"}}) + chassis, "any").names.back(),
      "leaf9");
}

TEST(Lldpcli, JoinsPortsThatAreNamedByAddressesAlone) {
  const Folder folder;
  folder.add("leaf1.json", json({{"swp1", "node1", "mac", "0c:00:00:00:01:00", "eth0", "Station"},
                                 {"swp8", "spine1", "mac", "0c:00:00:00:09:01", "to leaf1", "Router"},
                                 {"swp9", "spine1", "mac", "0c:00:00:00:09:02", "to leaf1", "Router"}}));
  folder.add("spine1.json", json({{"swp1", "leaf1", "mac", "0c:00:00:00:08:08", "uplink", "Bridge"},
                                  {"swp2", "leaf1", "mac", "0c:00:00:00:08:09", "uplink", "Bridge"}}));
  const SiteFabric fabric = read_lldp(folder.path());
  EXPECT_EQ(fabric.topology.links(), 2U * 3U);
  EXPECT_EQ(
      fabric.assumed.front(),
      "ports between 'leaf1' and 'spine1' are named by addresses: which is cabled with which is assumed");
}

TEST(Lldpcli, LeavesOutASecondNeighbourThatIsAnAdaptersFirmware) {
  const std::string firmware =
      "lldp.swp1.via=LLDP\nlldp.swp1.chassis.mac=0c:42:a1:00:00:09\nlldp.swp1.port.mac=0c:42:a1:00:00:09\n";
  const std::string system = keyvalue({{"swp1", "node1", "ifname", "eth0", "eth0", "Station"}});
  for (const std::string& text : {firmware + system, system + firmware}) {
    const SiteFabric fabric = parse_lldp(text, "leaf1");
    EXPECT_EQ(fabric.names, (std::vector<std::string>{"node1", "leaf1"}));
    EXPECT_NE(fabric.assumed.front().find("is listed twice"), std::string::npos) << fabric.assumed.front();
  }
}

TEST(Lldpcli, TakesHostsThatForwardForHosts) {
  const Folder folder;
  folder.add("leaf1.json", json({{"swp1", "node1", "mac", "0c:00:00:00:01:00", "enp1s0", "Router"},
                                 {"swp2", "node2", "mac", "0c:00:00:00:02:00", "enp1s0", "Bridge"},
                                 {"swp9", "spine1", "ifname", "swp1", "swp1", "Router"}}));
  folder.add("spine1.json", json({{"swp1", "leaf1", "ifname", "swp9", "swp9", "Bridge"}}));
  const SiteFabric fabric = read_lldp(folder.path());
  EXPECT_EQ(fabric.topology.hosts(), 2U);
  EXPECT_EQ(
      fabric.assumed.front(),
      "taken for hosts by names of their ports, although they forward: node1 (port enp1s0), node2 (port "
      "enp1s0)");
}

/// A compute fabric and a management switch, which hosts alone list; identifiers of ports are addresses.
void add_two_networks(const Folder& folder) {
  for (const std::string at : {"1", "2"})
    folder.add("node" + at + ".json",
               json({{"eth0", "mgmt1", "ifname", "ge-0/0/" + at, "ge-0/0/" + at, "Bridge"},
                     {"enp1s0", "leaf1", "ifname", "swp" + at, "swp" + at, "Bridge"}}));
  folder.add("leaf1.json", json({{"swp1", "node1", "mac", "0c:00:00:00:01:00", "enp1s0", "Station"},
                                 {"swp2", "node2", "mac", "0c:00:00:00:02:00", "to the leaf", "Station"}}));
}

TEST(Lldpcli, ChoosesPortsByAnyOfTheirNames) {
  const Folder folder;
  add_two_networks(folder);
  EXPECT_EQ(read_lldp(folder.path()).topology.hosts(), 4U);
  for (const auto& [name, hosts] :
       std::vector<std::pair<std::string, std::vector<std::string>>>{{"node1 enp1s0", {"node1"}},
                                                                     {"node2 enp1s0", {"node2"}},
                                                                     {"node1 0c:00:00:00:01:00", {"node1"}},
                                                                     {"node2 to the leaf", {"node2"}}}) {
    const SiteFabric fabric =
        read_lldp(folder.path(), {}, [&](const std::string& port) { return port == name; });
    std::vector<std::string> expected = hosts;
    expected.emplace_back("leaf1");
    EXPECT_EQ(fabric.names, expected) << name;
    ASSERT_EQ(fabric.notes.size(), 2U) << name;
    EXPECT_EQ(fabric.notes[0].find("left out 3 ports that --ports does not choose ("), 0U) << fabric.notes[0];
    EXPECT_EQ(fabric.notes[1], "left out switches that no chosen port reaches: 1 (mgmt1)");
  }
  expect_refused(
      [](const std::string& path) { read_lldp(path, {}, [](const std::string&) { return false; }); },
      folder.path(),
      "--ports chooses none of its 4 ports: expected a glob over names such as node1 enp1s0, ");
}

TEST(Lldpcli, RefusesWhatItCannotRead) {
  const auto parse = [](const std::string& text) { parse_lldp(text, "leaf1.json"); };
  expect_refused(parse, json({{"swp1", "no\"de", "ifname", "eth0", "eth0", "Station"}}), "use -f json0");
  expect_refused(parse, "{\"interfaces\": []}", "leaf1.json: expected what 'lldpcli show neighbors'");
  expect_refused(parse, json({}), "leaf1.json: names no host");
  expect_refused(parse, "lldp.swp1.via=LLDP\nlldp.swp1.chassis.name=a\n",
                 "leaf1.json: swp1: expected the chassis and the port of a neighbour");
  const auto read_folder = [](const std::string& path) { read_lldp(path); };
  const Folder folder;
  expect_refused(read_folder, folder.path(), "expected files, got an empty folder");
  folder.add("notes.md", "# Notes\n");
  expect_refused(read_folder, folder.path(), "notes.md: expected what lldpcli prints");
}

TEST(Lldpcli, ReadsRatesOfAutoNegotiation) {
  EXPECT_DOUBLE_EQ(gbit_of_mau("1000BaseTFD - Four-pair Category 5 UTP, full duplex mode"), 1);
  EXPECT_DOUBLE_EQ(gbit_of_mau("10GigBaseLR - R fiber over 1310nm optics"), 10);
  EXPECT_DOUBLE_EQ(gbit_of_mau("100GbaseCR4"), 100);
  for (const char* none : {"", "unknown", "30", "0"}) EXPECT_DOUBLE_EQ(gbit_of_mau(none), 0) << none;
}

}  // namespace
}  // namespace assay::model::fabric::site
