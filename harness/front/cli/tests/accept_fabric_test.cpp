// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay accept --fabric`: sixteen hosts below four leaves, every pair measured in rounds, both ways.
#include "harness/front/cli/tests/accept_fabric.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"

namespace assay::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using tests::AcceptFabric;
using tests::by_slow_host;
using tests::by_slow_uplink;
using tests::Said;
using tests::sound;
using tests::zone_hosts;

/// The uplink is found by `accept`, and by `replay` of its bundle once `gone` is removed.
void expect_the_same_in_a_bundle(const std::filesystem::path& folder, const std::string& topology,
                                 const std::filesystem::path& gone) {
  const std::string found = "FAIL     rack3>top  link";
  const std::string flags = "--store s.sqlite --fabric zone.toml --topology " + topology;
  EXPECT_THAT(tests::assay_in(folder, "accept " + flags).text, HasSubstr(found));
  const Said made = tests::assay_in(folder, "bundle -o b.bundle " + flags);
  EXPECT_EQ(made.exit_code, 1) << made.text;
  std::filesystem::remove_all(gone);
  const Said replayed = tests::assay_in(folder, "replay b.bundle");
  EXPECT_EQ(replayed.exit_code, 1) << replayed.text;
  EXPECT_THAT(replayed.text, HasSubstr(found));
}

TEST_F(AcceptFabric, NamesTheSlowUplinkAndSaysSoOfWhatItExplains) {
  measure(by_slow_uplink);
  const Said said = accept("--fabric zone.toml --verdicts v.json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text, AllOf(HasSubstr("zone.toml: 1 slow element located by 720 flows"),
                               HasSubstr("keeps 80.0 % of its rate"), HasSubstr("; leaf2>spine0 explains it"),
                               Not(HasSubstr("are unlike the rest"))));
  const std::vector<results::VerdictRow> failed = failed_rows();
  ASSERT_EQ(failed.size(), 5U) << said.text;
  EXPECT_EQ(failed.front().unit, "leaf2>spine0");
  EXPECT_EQ(failed.front().kind, "link");
  EXPECT_EQ(failed.front().action, results::Action::reseat);
  for (std::size_t at = 1; at < failed.size(); ++at) {
    EXPECT_THAT(failed[at].because, HasSubstr("leaf2>spine0 explains it"));
    EXPECT_EQ(failed[at].action, results::Action::none) << failed[at].unit;
  }
}

TEST_F(AcceptFabric, NamesNoneInASoundZone) {
  measure(sound);
  const Said said = accept("--fabric zone.toml");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("zone.toml: no element is shown to be slow by 720 flows"));
}

TEST_F(AcceptFabric, NamesTheSlowHostWhichIsDrained) {
  measure(by_slow_host);
  const Said said = accept("--fabric zone.toml --verdicts v.json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text, HasSubstr("n7: these pairs cannot distinguish it from n7-leaf1"));
  for (const results::VerdictRow& row : failed_rows()) {
    EXPECT_EQ(row.unit, "n7");
    EXPECT_EQ(row.action, results::Action::drain) << row.because;
  }
}

TEST_F(AcceptFabric, LeavesAPairThatNoElementExplainsAsItIs) {
  measure([](int from, int to) { return from + to == 5 && from * to == 4 ? 0.8 : by_slow_uplink(from, to); });
  accept("--fabric zone.toml --verdicts v.json");
  const std::vector<results::VerdictRow> failed = failed_rows();
  const auto pair = std::ranges::find(failed, "n2 - n5", &results::VerdictRow::unit);
  ASSERT_NE(pair, failed.end());
  EXPECT_THAT(pair->because, Not(HasSubstr("explains")));
  EXPECT_EQ(failed.front().unit, "leaf2>spine0");
}

TEST_F(AcceptFabric, OfOneRunIsNotYetShownToLast) {
  measure(by_slow_uplink, 1);
  const Said said = accept("--fabric zone.toml --format json");
  EXPECT_EQ(said.exit_code, 3);
  const auto rows = core::json_from<nlohmann::json>(said.text)["rows"];
  EXPECT_EQ(rows[0]["unit"], "leaf2>spine0");
  EXPECT_EQ(rows[0]["verdict"], "INCONCLUSIVE");
}

TEST_F(AcceptFabric, TakesTheTopologyOfASite) {
  measure(by_slow_uplink);
  std::string cables = "SwitchName=top Switches=rack[1-4]\n";
  for (int leaf = 0; leaf < 4; ++leaf)
    cables += fmt::format("SwitchName=rack{} Nodes=n[{}-{}]\n", leaf + 1, 4 * leaf + 1, 4 * leaf + 4);
  results::test::write_text(folder_ / "topology.conf", cables);
  const Said said = accept("--fabric zone.toml --topology slurm=topology.conf --format markdown");
  EXPECT_THAT(said.text, HasSubstr("| FAIL | rack3>top | link |"));
  EXPECT_THAT(said.text, HasSubstr("; cables between switches are assumed, as fast as all hosts below them"));
}

TEST_F(AcceptFabric, SaysTheSameInABundleThatIsReplayedWithoutItsFiles) {
  measure(by_slow_uplink);
  results::test::write_text(folder_ / "t.csv", "");
  const Said made = tests::assay_in(folder_.path(), "bundle -o b.bundle --store s.sqlite --fabric zone.toml");
  EXPECT_EQ(made.exit_code, 1) << made.text;
  std::filesystem::remove(folder_ / "zone.toml");
  const Said replayed = tests::assay_in(folder_.path(), "replay b.bundle");
  EXPECT_EQ(replayed.exit_code, 1);
  EXPECT_THAT(replayed.text, HasSubstr("FAIL     leaf2>spine0  link"));
}

TEST_F(AcceptFabric, SaysTheSameInABundleOfAFolderOfLists) {
  measure(by_slow_uplink);
  const std::filesystem::path lists = folder_ / "lists";
  std::filesystem::create_directories(lists);
  for (int leaf = 1; leaf <= 4; ++leaf) {
    std::string list = fmt::format(
        "lldp.swp9.chassis.name=top\nlldp.swp9.chassis.Router.enabled=on\nlldp.swp9.port.ifname=swp{}\n",
        leaf);
    for (int port = 1; port <= 4; ++port)
      list += fmt::format("lldp.swp{0}.chassis.name=n{1}\nlldp.swp{0}.port.ifname=eth0\n", port,
                          4 * leaf - 4 + port);
    results::test::write_text(lists / fmt::format("rack{}.keyvalue", leaf), list);
  }
  expect_the_same_in_a_bundle(folder_.path(), "lldp=lists/", lists);
}

TEST_F(AcceptFabric, SaysTheSameInABundleOfSlurmsFileAndWhatItIncludes) {
  measure(by_slow_uplink);
  std::filesystem::create_directories(folder_ / "racks");
  std::string racks;
  for (int leaf = 0; leaf < 4; ++leaf)
    racks += fmt::format("SwitchName=rack{} Nodes=n[{}-{}]\n", leaf + 1, 4 * leaf + 1, 4 * leaf + 4);
  results::test::write_text(folder_ / "racks" / "all.conf", racks);
  results::test::write_text(folder_ / "topology.conf",
                            "include racks/all.conf\nSwitchName=top Switches=rack[1-4]\n");
  expect_the_same_in_a_bundle(folder_.path(), "slurm=topology.conf", folder_ / "racks");
}

TEST_F(AcceptFabric, WithRecordedPortsNamesTheUplinkAmongFour) {
  fabric("n[1-16]", 4, "crc32");
  measure_over_ports("leaf2>spine3");
  const Said said = accept("--fabric zone.toml --verdicts v.json");
  EXPECT_THAT(said.text, HasSubstr("zone.toml: 1 slow element located by 720 flows, 720 of known paths"));
  const std::vector<results::VerdictRow> failed = failed_rows();
  ASSERT_FALSE(failed.empty()) << said.text;
  EXPECT_EQ(failed.front().unit, "leaf2>spine3");
  EXPECT_THAT(failed.front().evidence, testing::IsEmpty());
}

TEST_F(AcceptFabric, PathsFollowFromTheAddressesOfTheRecords) {
  fabric("n[1-16]", 4, "crc32");
  std::vector<std::string> texts;
  for (int host = 0; host < zone_hosts; ++host)
    texts.push_back(fmt::format("10.{}.{}.{}", 1 + host % 3, host * 7 % 13, 11 + host * 37 % 241));
  addresses(texts);
  measure_over_ports("leaf2>spine3");
  EXPECT_THAT(accept("--fabric zone.toml").text, HasSubstr("720 flows, 720 of known paths"));
  const Said located = tests::assay_in(folder_.path(), "fabric locate zone.toml --store s.sqlite --run r0");
  EXPECT_THAT(located.text, AllOf(HasSubstr("leaf2>spine3 keeps 0.8"), Not(HasSubstr("are assumed"))));
  const std::string stated =
      fmt::format(" --set host.addresses={}", fmt::join(texts.rbegin(), texts.rend(), ","));
  EXPECT_EQ(
      tests::assay_in(folder_.path(), "fabric locate zone.toml --store s.sqlite --run r0" + stated).text,
      located.text)
      << "what was measured counts before what is stated";
}

TEST_F(AcceptFabric, SaysThatAddressesAreAssumed) {
  fabric("n[1-16]", 4, "crc32");
  measure_over_ports("leaf2>spine3");
  EXPECT_THAT(
      tests::assay_in(folder_.path(), "fabric locate zone.toml --store s.sqlite --run r0").text,
      HasSubstr("addresses of hosts are assumed, from 10.0.0.0 on: host.addresses of the fabric states"));
}

TEST_F(AcceptFabric, WhereSwitchesHashOtherwiseRecordedPortsDoNotCount) {
  fabric("n[1-16]", 4, "crc32");
  measure_over_ports("leaf2>spine3");
  fabric("n[1-16]", 4, "toeplitz");
  const Said said = accept("--fabric zone.toml");
  EXPECT_THAT(said.text,
              AllOf(HasSubstr("0 of known paths"), HasSubstr("the rates do not fit the paths"),
                    HasSubstr("cannot distinguish it from leaf2>spine1, leaf2>spine2, leaf2>spine3"),
                    Not(HasSubstr("UDP source port"))));
}

TEST_F(AcceptFabric, RefusesInOneLine) {
  measure(sound, 1);
  results::test::write_text(folder_ / "bad.toml", "preset = \"star\"\nhosts = 0\n");
  for (const auto& [flags, why] : std::vector<std::pair<std::string, std::string>>{
           {"--fabric none.toml", "none.toml"},
           {"--fabric bad.toml", "bad.toml:2: hosts"},
           {"--topology slurm=t.conf", "--topology: expected --fabric FILE with it"},
           {"--fabric zone.toml --topology slurm", "expected KIND=FILE"},
           {"--fabric zone.toml --topology ib=t.csv", "expected ibnetdiscover, lldp or slurm before '='"},
           {"--fabric zone.toml --topology lldp=none.csv", "none.csv"}}) {
    const Said said = accept(flags);
    EXPECT_EQ(said.exit_code, 2) << flags;
    EXPECT_THAT(said.text, HasSubstr(why)) << flags;
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
  }
}

TEST_F(AcceptFabric, IsUndecidedWhereTheFabricHasNoSuchHosts) {
  measure(sound);
  fabric("n[1-15],x");
  const Said said = accept("--fabric zone.toml");
  EXPECT_EQ(said.exit_code, 3);
  EXPECT_THAT(said.text, AllOf(HasSubstr("the fabric has no host n16: expected each host of the records"),
                               HasSubstr("by 630 flows")));
}

TEST_F(AcceptFabric, ExpectsRanksOnTheServersThatTheFabricNames) {
  measure(sound, 1);
  const auto expect = [&] {
    return tests::assay_in(folder_.path(), "fabric expect zone.toml --store s.sqlite");
  };
  EXPECT_EQ(expect().exit_code, 0) << expect().text;
  fabric("n[1-15],m1");
  EXPECT_THAT(expect().text, HasSubstr("the fabric has no host for rank 15, though for others"));
}

}  // namespace
}  // namespace assay::cli
