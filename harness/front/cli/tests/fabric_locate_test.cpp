// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric locate on the example that ships, with and without ports, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using tests::Said;

const std::string small_zone = std::string(ASSAY_SOURCE_DIR) + "/model/examples/fabric";

Said locate_there(const std::string& arguments) {
  return tests::assay_in(small_zone, "fabric locate small-zone.toml " + arguments);
}

/// The shipped pairs without their last columns but the first `columns`.
std::string cut_pairs(const std::string& name, int columns) {
  const std::string path = testing::TempDir() + name;
  std::ifstream in(small_zone + "/small-zone-pairs.csv");
  std::ofstream out(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    std::string cell, kept;
    for (int column = 0; column < columns && std::getline(cells, cell, ','); ++column)
      kept += (column == 0 ? "" : ",") + cell;
    out << kept << "\n";
  }
  return path;
}

TEST(FabricLocateCommand, NamesTheSlowLinkOfTheShippedPairs) {
  const Said said = locate_there("--pairs small-zone-pairs.csv");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text, StartsWith("leaf3>spine2 keeps 0.797 of its rate\n"));
  EXPECT_THAT(said.text, HasSubstr("512 measurements (simulated), each alone"));
  const auto json = core::json_from<nlohmann::json>(locate_there("--pairs small-zone-pairs.csv --json").text);
  EXPECT_EQ(json["suspects"].size(), 1U);
  EXPECT_EQ(json["suspects"][0]["element"], "leaf3>spine2");
  EXPECT_EQ(json["unseen"].size(), 0U);
}

TEST(FabricLocateCommand, WithoutPortsItNamesTheUplinksOfTheLeafAndWhatToMeasureNext) {
  const Said said = locate_there("--pairs " + cut_pairs("no-ports.csv", 3));
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text, HasSubstr("cannot distinguish it from leaf3>spine1, leaf3>spine2, leaf3>spine3"));
  EXPECT_THAT(said.text, HasSubstr("measure next: "));
  EXPECT_THAT(said.text, HasSubstr("512 of 512 flows have no known path"));
}

/// Ports say nothing of paths where it is unknown how switches hash.
TEST(FabricLocateCommand, WithoutAHashPortsAreLeftOut) {
  const std::string fabric = testing::TempDir() + "no_hash_" + std::to_string(getpid()) + ".toml";
  std::ifstream shipped(small_zone + "/small-zone.toml");
  std::ofstream out(fabric);
  for (std::string line; std::getline(shipped, line);)
    out << (line.starts_with("routing") ? "routing = { kind = 'e-ecmp' }" : line) << "\n";
  out.close();
  const Said said = tests::assay_in(small_zone, "fabric locate " + fabric + " --pairs small-zone-pairs.csv");
  EXPECT_EQ(said.exit_code, 1) << said.text;
  EXPECT_THAT(said.text, HasSubstr("ports are recorded and left out: the fabric states no routing.hash"));
  EXPECT_THAT(said.text, HasSubstr("cannot distinguish it from"));
  EXPECT_THAT(said.text, testing::Not(HasSubstr("UDP source port")));
}

/// Links of real switches, which hash as no setting says: the rows by themselves name the uplinks.
TEST(FabricLocateCommand, PortsThatDoNotFitAreLeftOutOfCsvToo) {
  const std::string pairs = testing::TempDir() + "odd_ports_" + std::to_string(getpid()) + ".csv";
  std::ifstream shipped(small_zone + "/small-zone-pairs.csv");
  std::ofstream out(pairs);
  int row = 0;
  for (std::string line; std::getline(shipped, line); ++row) {
    std::istringstream cells(line);
    std::string from, to, rate;
    std::getline(cells, from, ',') && std::getline(cells, to, ',') && std::getline(cells, rate, ',');
    out << from << "," << to << "," << rate;
    if (row == 0)
      out << ",source_port,destination_qpn\n";
    else
      out << "," << 49152 + row * 7919 % 16000 << "," << row * 104729 % 65536 << "\n";
  }
  out.close();
  const Said said = tests::assay_in(small_zone, "fabric locate small-zone.toml --pairs " + pairs);
  EXPECT_EQ(said.exit_code, 1) << said.text;
  EXPECT_THAT(said.text, HasSubstr("ports are recorded and left out: the rates do not fit"));
}

TEST(FabricLocateCommand, RefusesRatesThatNoLinkHasAndFewerThanNoPairs) {
  const std::string own = std::to_string(getpid());
  for (const auto& [rate, said_of_it] :
       {std::pair("1e300", "from 1e-09 to 45000 GB/s"), std::pair("1e-300", "from 1e-09 to 45000 GB/s"),
        std::pair("-3", "above 0"), std::pair("nan", "above 0"), std::pair("inf", "above 0")}) {
    const std::string pairs = testing::TempDir() + "rate_" + own + ".csv";
    std::ofstream(pairs) << "from,to,gb_per_s\n0,4," << rate << "\n";
    const Said said = locate_there("--pairs " + pairs);
    EXPECT_EQ(said.exit_code, 2) << rate;
    EXPECT_THAT(said.text, testing::AllOf(HasSubstr("gb_per_s"), HasSubstr(said_of_it))) << rate;
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
  }
  const Said said = locate_there("--pairs small-zone-pairs.csv --next -1");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, testing::AllOf(HasSubstr("--next"), HasSubstr("not in range 0 to 1000")));
  EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
}

TEST(FabricLocateCommand, TakesASitesTopologyWithItsNames) {
  const std::string neighbours = testing::TempDir() + "lldp.csv", pairs = testing::TempDir() + "site.csv";
  std::ofstream(neighbours) << "system,port,neighbour,neighbour_port\n"
                               "rack1,1,gpu-a,eth0\nrack1,2,gpu-b,eth0\nrack1,3,gpu-c,eth0\n";
  std::ofstream rows(pairs);
  rows << "from,to,gb_per_s\n";
  for (int repeat = 0; repeat < 8; ++repeat)
    for (const char* from : {"gpu-a", "gpu-b", "gpu-c"})
      for (const char* to : {"gpu-a", "gpu-b", "gpu-c"})
        if (std::string(from) != to)
          rows << from << "," << to << "," << (std::string(to) == "gpu-b" ? 30 : 48) + 0.1 * (repeat % 3)
               << "\n";
  rows.close();
  const Said said = locate_there("--pairs " + pairs + " --topology lldp=" + neighbours);
  EXPECT_EQ(said.exit_code, 1) << said.text;
  EXPECT_THAT(said.text, StartsWith("rack1>gpu-b keeps 0.62"));
}

TEST(FabricLocateCommand, NamesSwitchesThatLackAReport) {
  const std::string own = std::to_string(getpid());
  const std::string neighbours = testing::TempDir() + "leaves_" + own + ".csv",
                    pairs = testing::TempDir() + "leaves_pairs_" + own + ".csv";
  std::ofstream(neighbours) << "system,port,neighbour,neighbour_port\n"
                               "rack1,1,gpu-a,eth0\nrack1,9,top1,eth1\nrack1,10,top2,eth1\n"
                               "rack2,1,gpu-b,eth0\nrack2,9,top1,eth2\nrack2,10,top2,eth2\n";
  std::ofstream(pairs) << "from,to,gb_per_s\ngpu-a,gpu-b,48\n";
  const Said said = locate_there("--pairs " + pairs + " --topology lldp=" + neighbours);
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text,
              HasSubstr("no path joins gpu-a with gpu-b: top1, top2 have cables to several switches "
                        "and no rows of their own: if they are switches, expected what they report "
                        "as rows, system = top1"));
}

TEST(FabricLocateCommand, SaysWhatSlurmsTopologyDoesNotState) {
  const std::string own = std::to_string(getpid());
  const std::string tree = testing::TempDir() + "tree_" + own + ".conf",
                    pairs = testing::TempDir() + "tree_pairs_" + own + ".csv";
  std::ofstream(tree) << "SwitchName=top Switches=rack[1-2]\nSwitchName=rack1 Nodes=n[1-2]\n"
                         "SwitchName=rack2 Nodes=n[3-4]\n";
  std::ofstream rows(pairs);
  rows << "from,to,gb_per_s\n";
  for (int at = 0; at < 40; ++at)
    rows << "n" << 1 + at % 4 << ",n" << 1 + (at + 1) % 4 << "," << 48 + at % 3 << "\n";
  rows.close();
  EXPECT_THAT(
      locate_there("--pairs " + pairs + " --topology slurm=" + tree).text,
      HasSubstr("cables between switches are assumed, as fast as all hosts below them together: " + tree));
}

TEST(FabricLocateCommand, NamesAHostWhoseFlowsHaveSeveralQueuePairs) {
  const std::string pairs = testing::TempDir() + "several.csv";
  std::ofstream rows(pairs);
  rows << "from,to,gb_per_s,source_port,destination_qpn\n";
  for (int from = 0; from < 32; ++from)
    for (int to = 0; to < 32; ++to) {
      if (from / 4 == to / 4) continue;
      // Both queue pairs of every flow from host 12 lose two fifths.
      const double rate = (from == 12 ? 29.4 : 49) * (1 + 0.01 * ((from * 7 + to * 3) % 5 - 2));
      rows << from << "," << to << "," << rate << "," << 49152 + from << ";" << 50000 + to << ",17;18\n";
    }
  rows.close();
  const Said said = locate_there("--pairs " + pairs);
  EXPECT_EQ(said.exit_code, 1) << said.text;
  EXPECT_THAT(said.text, StartsWith("host12>leaf3 keeps 0.6 of its rate\n"));
}

TEST(FabricLocateCommand, RefusesInOneLine) {
  EXPECT_EQ(locate_there("--pairs small-zone-pairs.csv --next -1").exit_code, 2);
  for (const auto& [arguments, why] : std::vector<std::pair<std::string, std::string>>{
           {"", "expected either --pairs FILE or --store FILE"},
           {"--pairs small-zone-pairs.csv --topology ib=x",
            "expected ibnetdiscover, lldp or slurm before '='"},
           {"--pairs small-zone-pairs.csv --topology lldp", "expected KIND=FILE"},
           {"--pairs small-zone-pairs.csv --ports x",
            "--ports: expected --topology ibnetdiscover=FILE or lldp=FILE with it"},
           {"--pairs small-zone-pairs.csv --topology slurm=x --ports x",
            "or lldp=FILE: Slurm's files name nodes, not ports"},
           {"--pairs zone.toml", "zone.toml"},
           {"--pairs small-zone-pairs.csv --topology slurm=small-zone.toml",
            "small-zone.toml:2: expected"}}) {
    const Said said = locate_there(arguments);
    EXPECT_EQ(said.exit_code, 2) << arguments;
    EXPECT_THAT(said.text, HasSubstr(why)) << arguments;
  }
}

}  // namespace
}  // namespace assay::cli
