// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric size and place on the examples that ship.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;
using tests::Said;

Said plan(const std::string& arguments) {
  return tests::assay_in(std::string(ASSAY_SOURCE_DIR) + "/model/examples/fabric", "fabric " + arguments);
}

TEST(FabricSize, NamesTheLeastOfEachKeyThatReachesTheTime) {
  const Said said = plan("size zone-128.toml ring-128.toml --at-most 80ms --seeds 10 --json");
  ASSERT_EQ(said.exit_code, 0) << said.text;
  const json answer = core::json_from<json>(said.text);
  EXPECT_EQ(answer.at("origin"), "simulated");
  for (const json& key : answer.at("keys")) {
    const auto number = [](const json& value) { return std::stod(value.get<std::string>()); };
    const bool found = !key.at("least").is_null();
    for (const json& one : key.at("tried")) {
      const double time_us = one.at("time_us"), value = number(one.at("value"));
      if (found && value == number(key.at("least"))) {
        EXPECT_LE(time_us, 80e3);
      } else if (!found || value < number(key.at("least"))) {
        EXPECT_GT(time_us, 80e3);
      }
    }
    if (key.at("key") == "routing.queue_pairs") {
      EXPECT_TRUE(found);
      EXPECT_NE(number(key.at("least")), 32) << "least of those between powers of two";
    }
    if (key.at("key") == "switch.xoff") {
      EXPECT_TRUE(key.at("least").is_null()) << "buffers do not spread load";
    }
  }
}

TEST(FabricSize, OfAStepThatNothingReachesIsAFinding) {
  const Said said = plan("size zone-128.toml ring-128.toml --at-most 1ms --sharing bound");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text, StartsWith("at most 1 ms: no key reaches it alone; as it is: "));
}

TEST(FabricSize, StatesTheHeadroomOfLinksWhoseLengthIsKnown) {
  EXPECT_THAT(
      plan("size zone-128.toml ring-128.toml --at-most 1s --sharing bound --set link.metres=100").text,
      HasSubstr("needs 116 kB a port above XOFF on 100 m"));
}

TEST(FabricSize, TriesWhatTheRestOfTheFileAllowsAndSaysHowItIsNow) {
  const Said failed = plan(
      "size zone-128-failed.toml ring-128.toml --at-most step=1s --sharing bound --set link.metres=10 "
      "--set link.gbit_per_s=800");
  EXPECT_EQ(failed.exit_code, 0) << failed.text;
  EXPECT_THAT(failed.text, HasSubstr("1: not possible"));
  EXPECT_THAT(failed.text, HasSubstr("Headroom above XOFF is not known at 800 Gbit/s"));
  const Said nothing_to_vary =
      plan("size zone-128.toml incast-17.toml --at-most 100ms --set routing.kind=te --set switch.buffer=voq");
  EXPECT_EQ(nothing_to_vary.exit_code, 0) << nothing_to_vary.text;
  EXPECT_THAT(nothing_to_vary.text, HasSubstr("as it is"));
}

/// Nine of 16 uplinks, which is no round share of a rack.
TEST(FabricSize, TriesEveryNumberOfUplinks) {
  const auto answer = core::json_from<json>(
      plan("size zone-128.toml full-racks.toml --at-most 2.5ms --set routing.kind=spray --set "
           "routing.spray_efficiency=1 --json")
          .text);
  EXPECT_EQ(answer.at("keys")[0].at("least"), "9");
}

TEST(FabricPlace, HalvesWhatLeavesRacksOfAnAllReduceOverDistantServers) {
  const std::string order = testing::TempDir() + "placed_order.csv";
  const Said said = plan("place zone-128.toml data-parallel-128.toml --set host.gpus=8 --order " + order);
  ASSERT_EQ(said.exit_code, 0) << said.text;
  const json answer =
      core::json_from<json>(plan("place zone-128.toml data-parallel-128.toml --set host.gpus=8 --json").text);
  EXPECT_LT(answer.at("after_us"), answer.at("before_us"));
  const json& leaf = answer.at("cuts")[0];
  EXPECT_EQ(leaf.at("group"), "leaf");
  EXPECT_LT(leaf.at("after_bytes"), 0.6 * leaf.at("before_bytes").get<double>());
  EXPECT_GE(leaf.at("after_bytes"), leaf.at("bound_bytes"));
  std::ifstream written(order);
  std::string header;
  std::getline(written, header);
  EXPECT_EQ(header, "rank,host,gpu");
  // The order is one that a workload reads, and its time is the placed one.
  const std::string workload = testing::TempDir() + "placed.toml";
  std::ostringstream toml;
  toml << std::ifstream(std::string(ASSAY_SOURCE_DIR) + "/model/examples/fabric/data-parallel-128.toml")
              .rdbuf();
  std::string text = toml.str();
  text.replace(text.find("[[stream]]"), 0, "order = \"" + order + "\"\n");
  std::ofstream(workload) << text;
  const json again = core::json_from<json>(
      plan("simulate zone-128.toml " + workload + " --set host.gpus=8 --seeds 1 --json").text);
  EXPECT_NEAR(again.at("time_us").at("median").get<double>() / answer.at("after_us").get<double>(), 1, 1e-9);
}

TEST(FabricPlace, WritesWhatLaunchersRead) {
  const std::string file = testing::TempDir() + "hosts";
  const std::string place = "place zone-128.toml data-parallel-128.toml --set host.gpus=8 --order " + file;
  EXPECT_EQ(plan(place + " --as hostfile").exit_code, 0);
  EXPECT_THAT(tests::text_of(file), HasSubstr(" slots=8\n"));
  EXPECT_EQ(plan(place + " --as slurm").exit_code, 0);
  const std::string names = testing::TempDir() + "names";
  {
    std::ofstream out(names);
    for (int server = 0; server < 16; ++server) out << "node" << 100 + server << "\n";
  }
  EXPECT_EQ(plan(place + " --as slurm --names " + names).exit_code, 0);
  EXPECT_THAT(tests::text_of(file), StartsWith("node1"));
  std::ofstream(names) << "node1\n";
  const Said few = plan(place + " --names " + names);
  EXPECT_EQ(few.exit_code, 2);
  EXPECT_THAT(few.text, HasSubstr("names: 1 names, the job uses server"));
}

TEST(FabricPlace, NamesServersForLaunchersAsTheFabricDoes) {
  const std::string file = testing::TempDir() + std::to_string(getpid()) + "_named";
  const std::string place = "place zone-128.toml data-parallel-128.toml --order " + file + " --set nodes=";
  EXPECT_EQ(plan(place + "'n[01-16]' --set host.gpus=8 --as hostfile").exit_code, 0);
  EXPECT_THAT(tests::text_of(file), testing::MatchesRegex("(n[01][0-9] slots=8\n)+"));
  EXPECT_EQ(plan(place + "'h[1-128]' --as slurm").exit_code, 0);
  EXPECT_THAT(tests::text_of(file), testing::MatchesRegex("(h[0-9]+\n)+"));
  EXPECT_EQ(plan(place + "'n[01-16]' --set host.gpus=8").exit_code, 0);
  EXPECT_THAT(tests::text_of(file), testing::MatchesRegex("rank,host,gpu\n([0-9]+,[0-9]+,[0-7]\n)+"));
  std::filesystem::remove(file);
}

TEST(FabricPlan, SaysWhatAListOfCablesIsAndHowToReadIt) {
  const std::string file = testing::TempDir() + std::to_string(getpid()) + "_net.list";
  const auto said_of = [&](const char* text) {
    std::ofstream(file) << text;
    return plan("describe " + file);
  };
  const Said net = said_of("#\n# Topology file: generated on Mon Jan  5 10:00:00 2026\n#\nvendid=0x2c9\n");
  EXPECT_EQ(net.exit_code, 2);
  EXPECT_EQ(net.text, "assay: " + file +
                          ": expected a fabric in TOML, got the output of ibnetdiscover: assay "
                          "fabric read --topology ibnetdiscover=" +
                          file + " -o site.toml makes one\n");
  EXPECT_THAT(said_of("{\n  \"lldp\": {\n    \"interface\": []\n  }\n}\n").text,
              HasSubstr("--topology lldp=" + file));
  EXPECT_THAT(said_of("# racks\nSwitchName=s0 Nodes=n[1-4]\n").text, HasSubstr("--topology slurm=" + file));
  EXPECT_THAT(said_of("name = \"lldp\"\n").text, HasSubstr("preset"));
  std::filesystem::remove(file);
}

TEST(FabricPlan, SaysThatAnInfiniBandListHasNoRoutes) {
  const std::string list =
      std::string(ASSAY_SOURCE_DIR) + "/model/fabric/site/tests/fuzz/corpus/ibnetdiscover/00";
  const Said said = plan("read --topology ibnetdiscover=" + list);
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("\n# Assumed: paths by hashing (routing ecmp)"));
  EXPECT_THAT(said.text, HasSubstr("\nrouting = { kind = \"ecmp\" }  # assumed: "));
  EXPECT_THAT(said.text, HasSubstr("assumed: paths by hashing (routing ecmp), where an InfiniBand subnet "
                                   "forwards by tables: --routes FILE"));
}

/// Ranks of a server that are not neighbours have no hostfile.
TEST(FabricPlan, NamesTheFileOfWhatTheLibraryRefuses) {
  const std::string own = std::to_string(getpid());
  const std::string order = testing::TempDir() + "dealt_" + own + ".csv",
                    job = testing::TempDir() + "dealt_" + own + ".toml";
  std::ofstream places(order);
  for (int rank = 0; rank < 16; ++rank) places << rank << "," << rank % 2 << "," << rank / 2 << "\n";
  places.close();
  std::ofstream(job) << "ranks = 16\norder = '" << order
                     << "'\n[[stream]]\n[[stream.op]]\npattern = 'shift'\nbytes = '1MiB'\n";
  const Said said =
      plan("place zone-128.toml " + job + " --set host.gpus=8 --as hostfile --order " + order + ".out");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, StartsWith("assay: zone-128.toml: the ranks of 0 do not follow each other"));
}

TEST(FabricPlan, RefusesInOneLine) {
  for (const auto& [arguments, why] :
       {std::pair("size zone-128.toml ring-128.toml --at-most 0ms", "expected a time such as 12ms"),
        {"size zone-128.toml ring-128.toml --at-most 12", "expected a time such as 12ms"},
        {"size zone-128.toml ring-128.toml", "--at-most is required"},
        {"place zone-128.toml one-rack.toml --set host.gpus=64", "whole servers"},
        {"compare zone-128.toml ring-128.toml --vary rooting.kind=ecmp", "--vary"},
        {"compare zone-128.toml ring-128.toml --vary hash=md5", "--vary routing.hash: 'md5' is unknown"},
        {"place zone-128.toml ring-128.toml --set host.gpus=8 --as pbs", "--as"}}) {
    const Said said = plan(arguments);
    EXPECT_EQ(said.exit_code, 2) << arguments;
    EXPECT_THAT(said.text, HasSubstr(why)) << arguments;
  }
}

}  // namespace
}  // namespace assay::cli
