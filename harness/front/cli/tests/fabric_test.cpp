// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric on the examples that ship, and what it says about bad input and unsound fabrics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using tests::Said;

const std::string fabric_examples = std::string(ASSAY_SOURCE_DIR) + "/model/examples/fabric";

Said fabric_there(const std::string& arguments) {
  return tests::assay_in(fabric_examples, "fabric " + arguments);
}

json numbers_of(const std::string& arguments) {
  const Said said = fabric_there(arguments + " --json");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  return core::json_from<json>(said.text);
}

std::string first_line(const Said& said) { return said.text.substr(0, said.text.find('\n')); }

TEST(FabricCollective, NeedsNoWorkloadFile) {
  const std::string zone = "simulate zone-128.toml --collective ";
  EXPECT_EQ(first_line(fabric_there(zone + "all_reduce --algorithm ring --bytes 64MiB --ranks 16")),
            first_line(fabric_there(zone + "all_reduce --bytes 64MiB --ranks 16")));
  EXPECT_THAT(fabric_there(zone + "all_reduce --bytes 64MiB").text,
              testing::StartsWith("64MiB all_reduce (ring) on 128 GPUs: "));
  EXPECT_THAT(fabric_there(zone + "permutation --bytes 1MiB").text,
              testing::StartsWith("1MiB permutation on 128 GPUs: "));
}

struct RefusedCollective {
  const char *flags, *says;
};

TEST(FabricCollective, IsRefusedInOneLine) {
  for (const auto& [flags, says] :
       {RefusedCollective{"", "workload (or --collective NAME) is required"},
        RefusedCollective{"ring-128.toml --collective all_reduce --bytes 1MiB",
                          "workload excludes --collective"},
        RefusedCollective{"--bytes 1MiB", "--bytes requires --collective"},
        RefusedCollective{"--collective all_reduce", "--collective: expected --bytes SIZE with it"},
        RefusedCollective{"--collective all_reduce --bytes much", "'much' is not a size"},
        RefusedCollective{"--collective all_reduce --bytes 1MiB --ranks 129",
                          "--ranks 129: the fabric has 128 GPUs"},
        RefusedCollective{"--collective all_reduces --bytes 1MiB", "all_reduce"},
        RefusedCollective{"--collective all_reduce --algorithm rings --bytes 1MiB", "did you mean ring?"}}) {
    const Said said = fabric_there(std::string("simulate zone-128.toml ") + flags);
    EXPECT_EQ(said.exit_code, 2) << flags;
    EXPECT_THAT(said.text, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
  }
}

TEST(FabricSeeds, AreTwentyWhereHashingDecides) {
  const Said many = fabric_there("simulate zone-128.toml ring-128.toml --sharing bound");
  EXPECT_THAT(first_line(many), HasSubstr(" to 120 ms over 20 hash seeds)"));
  EXPECT_EQ(many.text, fabric_there("simulate zone-128.toml ring-128.toml --sharing bound --seeds 20").text);
  EXPECT_THAT(first_line(fabric_there("simulate zone-128.toml ring-128.toml --sharing bound --seeds 1")),
              HasSubstr(" ms (1 hash seed), "));
  const Said sprayed = fabric_there("simulate zone-128.toml ring-128.toml --set routing=spray");
  EXPECT_THAT(sprayed.text, HasSubstr(" ms (1 hash seed), "));
  EXPECT_THAT(sprayed.text, HasSubstr("\nOne hash seed says all: no switch hashes.\n"));
}

TEST(FabricSeeds, AreFewerOnLargeFabricsWhichIsSaid) {
  const Said said = fabric_there("simulate zone.toml next-rack-3k.toml --sharing bound");
  EXPECT_THAT(first_line(said), HasSubstr(" over 5 hash seeds)"));
  EXPECT_THAT(said.text,
              HasSubstr("\n5 hash seeds, not 20, on more than 1024 GPUs: --seeds N takes others.\n"));
}

TEST(FabricSeeds, AreOneOnTheLargestFabricsWhichIsSaid) {
  const Said said =
      fabric_there("simulate data-centre.toml --collective all_reduce --bytes 1MiB --sharing bound");
  EXPECT_THAT(said.text, HasSubstr("\nOne hash seed on more than 8192 GPUs: --seeds N gives the range.\n"));
}

TEST(FabricSeeds, ThatAgreeHaveNoRange) {
  EXPECT_THAT(first_line(fabric_there("simulate zone-128.toml full-racks.toml --set routing=pinned")),
              HasSubstr(": 1.37 ms (with each of 20 hash seeds), "));
}

TEST(FabricDetails, AreTablesThatAreAskedFor) {
  const std::string command = "simulate zone-128.toml ring-128.toml --sharing bound --seeds 2";
  const Said brief = fabric_there(command), whole = fabric_there(command + " --details");
  EXPECT_THAT(brief.text, AllOf(Not(HasSubstr("\nBusiest links\n")), HasSubstr(": --details.\n")));
  EXPECT_THAT(whole.text, AllOf(HasSubstr("\nBusiest links\n"), Not(HasSubstr("--details"))));
  EXPECT_EQ(first_line(brief), first_line(whole));
  EXPECT_THAT(fabric_there(command + " --format csv").text, HasSubstr("busbw"));
}

struct Shipped {
  const char *fabric, *workload, *flags;
  const char* answer;  // how it opens
};
class ShippedExample : public testing::TestWithParam<Shipped> {};

TEST_P(ShippedExample, Runs) {
  const Shipped& one = GetParam();
  const std::string workload = one.workload;
  if (workload == "all-to-all-24k.toml" && std::getenv("ASSAY_LONG_SIMULATIONS") == nullptr)
    GTEST_SKIP() << "604 million flows; ASSAY_LONG_SIMULATIONS=1 runs them";
  const Said said =
      fabric_there(std::string("simulate ") + one.fabric + " " + workload + " --sharing bound " + one.flags);
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, testing::StartsWith(one.answer));
  EXPECT_THAT(said.text, HasSubstr("Simulated by flows under bound sharing. Known error: "));
}

INSTANTIATE_TEST_SUITE_P(
    Fabric, ShippedExample,
    testing::Values(
        Shipped{"zone.toml", "step.toml", "--seeds 2", "dp step, 2 operations: "},
        Shipped{"zone-128.toml", "ring-128.toml", "--seeds 20", "1GiB all_reduce (ring) on 128 GPUs: "},
        Shipped{"zone-128.toml", "one-rack.toml", "", "64MiB broadcast (binomial) on 32 GPUs in 16 groups: "},
        Shipped{"zone-128.toml", "full-racks.toml", "--set routing=pinned --seeds 1",
                "64MiB shift on 128 GPUs: 1.37 ms (1 hash seed), 100 % of what the links allow\n"},
        Shipped{"zone-128.toml", "half-racks.toml", "--set routing=pinned --seeds 1",
                "64MiB shift on 32 GPUs in 16 groups: 2.74 ms (1 hash seed), 50 % of what the links allow"},
        Shipped{"zone-128.toml", "full-racks.toml",
                "--set routing=pinned --seeds 1 --set 'failed=[{link=\"leaf0>spine0\"}]'",
                "64MiB shift on 128 GPUs: 2.74 ms (1 hash seed), 53 % of what the links allow"},
        Shipped{"zone-128.toml", "data-parallel-128.toml", "",
                "256MiB all_reduce (ring) on 128 GPUs in 16 groups: "},
        Shipped{"data-centre.toml", "ring-24k.toml", "", "1GiB all_reduce (ring) on 24576 GPUs: "},
        Shipped{"data-centre.toml", "halving-doubling-24k.toml", "",
                "1GiB all_reduce (halving_doubling) on 24576 GPUs: "},
        Shipped{"data-centre.toml", "all-to-all-24k.toml", "", "1GiB all_to_all on 24576 GPUs: "},
        Shipped{"star.toml", "ring-16k.toml", "", "16KiB all_reduce (ring) on 16384 GPUs: 721 ms"},
        Shipped{"star.toml", "doubling-16k.toml", "", "16KiB all_reduce (doubling) on 16384 GPUs: 313 us"},
        Shipped{"star.toml", "halving-doubling-16k.toml", "",
                "16KiB all_reduce (halving_doubling) on 16384 GPUs: 617 us"}));

TEST(FabricExamples, EachIsReadByATestOrAClaim) {
  const std::string root = ASSAY_SOURCE_DIR;
  std::string readers;
  for (const auto& rows : std::filesystem::directory_iterator(root + "/model/claims/rows"))
    readers += tests::text_of(rows.path().string());
  for (const char* const test : {"fabric_test", "fabric_workloads_test", "fabric_locate_test",
                                 "fabric_plan_test", "fabric_journal_test"})
    readers += tests::text_of(root + "/harness/front/cli/tests/" + test + ".cpp");
  for (const auto& entry : std::filesystem::directory_iterator(fabric_examples)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".csv")) continue;  // of a workload
    EXPECT_NE(readers.find(name), std::string::npos) << name;
  }
}

TEST(FabricCommand, DescribesTheDataCentre) {
  const json facts = numbers_of("describe data-centre.toml");
  EXPECT_EQ(facts["gpus"], 24576);
  EXPECT_EQ(facts["diameter_links"], 6);
  EXPECT_EQ(facts["tiers"].size(), 4U);
  EXPECT_NEAR(facts["tiers"][2]["ratio"].get<double>(), 7, 1e-6);
  EXPECT_THAT(
      fabric_there("describe zone.toml --set leaves=256").text,
      HasSubstr("zone: 4096 GPUs, 256 leaf switches, 16 spine switches; 1:1 above leaf; diameter 4 links"));
}

/// Section 4 of the specification, rows 2, 3, 5 and 7.
TEST(FabricCommand, ComparesPoliciesOverSeeds) {
  const json rack = numbers_of(
      "compare zone-128.toml one-rack.toml --vary spines=16,32 --vary queue_pairs=4,16 --seeds 1000 "
      "--sharing "
      "bound");
  const std::vector<double> expected = {0.519, 0.690, 0.759, 0.991};
  for (std::size_t at = 0; at < expected.size(); ++at)
    EXPECT_NEAR(rack["policies"][at]["links_allow_share"].get<double>(), expected[at], 0.015) << at;
  const json leaves =
      numbers_of("compare zone-128.toml ring-128.toml --vary queue_pairs=4,16 --seeds 200 --sharing bound");
  const json& more = leaves["policies"][1];
  EXPECT_NEAR(more["gain"].get<double>(), 0.45, 0.03);
  EXPECT_EQ(more["verdict"], "faster");
  EXPECT_EQ(leaves["policies"][0]["verdict"], "reference");
  EXPECT_EQ(more["pareto"], true);
}

TEST(FabricCommand, PoliciesThatTimesDoNotTellApartAreEqual) {
  const json same = numbers_of(
      "compare zone-128.toml full-racks.toml --set routing=spray --vary hash=ideal,crc32 --seeds 4");
  EXPECT_EQ(same["policies"][1]["verdict"], "equal");
  const json worse = numbers_of(
      "compare zone-128.toml full-racks.toml --set routing=pinned --vary spines=16,8 --seeds 4 --sharing "
      "bound");
  EXPECT_EQ(worse["policies"][1]["verdict"], "slower");
}

TEST(FabricCommand, JsonHasLinkLoadsByTier) {
  const json answer = numbers_of("simulate zone-128.toml full-racks.toml --seeds 3");
  EXPECT_EQ(answer["origin"], "simulated");
  EXPECT_EQ(answer["links"]["leaf>spine"]["bytes"].size(), 128U);
  double sum = 0;
  for (const json& bytes : answer["links"]["leaf>spine"]["bytes"]) sum += bytes.get<double>();
  EXPECT_DOUBLE_EQ(sum, 128.0 * (64 << 20));
  EXPECT_EQ(answer["time_us"]["of_seeds"].size(), 3U);
  EXPECT_EQ(answer["sharing"][0]["rule"], "occupancy");
  EXPECT_EQ(answer["would_help"].size(), 4U);
}

TEST(FabricCommand, PrintsEveryFormatAndTheSameBytesAgain) {
  const std::string command = "simulate zone-128.toml full-racks.toml --seeds 2";
  EXPECT_EQ(fabric_there(command).text, fabric_there(command + " --threads 1").text);
  EXPECT_THAT(fabric_there(command + " --format csv").text,
              HasSubstr("operation,time (ms),time lower,time upper"));
  EXPECT_THAT(fabric_there(command + " --format markdown").text, HasSubstr("| link "));
  EXPECT_TRUE(json::accept(fabric_there(command + " --format json").text));
}

std::string file_with(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

TEST(FabricCommand, AFabricInTwoIsAFindingThatNamesHosts) {
  const std::string cut = "zone-128.toml --set 'failed=[{switch=\"leaf3\"}]'";
  const Said described = fabric_there("describe " + cut);
  EXPECT_EQ(described.exit_code, 1);
  EXPECT_THAT(described.text, HasSubstr("failures cut 16 of 128 hosts off: host48, host49"));
  const Said simulated = fabric_there("simulate " + cut + " full-racks.toml");
  EXPECT_EQ(simulated.exit_code, 1);
  EXPECT_THAT(simulated.text, HasSubstr("16 of 128 ranks are cut off from others by failures: host48"));
}

TEST(FabricCommand, HostsAreCalledAsTheFileNamesThem) {
  const std::string named = " zone-128.toml ring-128.toml --set 'nodes=\"h[1-128]\"' ";
  for (const std::string& command :
       {"simulate" + named + "--details", "simulate" + named + "--json", "size" + named + "--at-most 80ms",
        "simulate" + named + "--format csv --set 'failed=[{switch=\"leaf3\"}]'"}) {
    const Said said = fabric_there(command);
    EXPECT_THAT(said.text, testing::Not(testing::ContainsRegex("host[0-9]"))) << command;
    EXPECT_NE(said.exit_code, 2) << said.text;
  }
  EXPECT_THAT(fabric_there("simulate" + named).text, HasSubstr("h90 at leaf5 is the slowest"));
}

TEST(FabricCommand, PoliciesOfAFabricInTwoAreNotCompared) {
  const Said said = fabric_there(
      "compare zone-128.toml full-racks.toml --vary queue_pairs=1,4 --set 'failed=[{switch=\"leaf3\"}]'");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text, HasSubstr("16 of 128 ranks are cut off from others by failures: host48"));
}

TEST(FabricCommand, BuffersInACircleAreAFinding) {
  const std::string ring = file_with(
      "ring.toml",
      "preset = 'links'\nlinks = ['host0>leaf0', 'host1>leaf1', 'host2>leaf2', 'host3>leaf3', 'leaf0>leaf1', "
      "'leaf1>leaf2', 'leaf2>leaf3', 'leaf3>leaf0']\n");
  const std::string shift = file_with(
      "shift.toml",
      "name = 'shift'\nranks = 4\n[[stream]]\n[[stream.op]]\npattern = 'shift'\nby = 1\nbytes = '1MiB'\n");
  for (const std::string& command : {"describe " + ring, "simulate " + ring + " " + shift}) {
    const Said said = fabric_there(command);
    EXPECT_EQ(said.exit_code, 1) << said.text;
    EXPECT_THAT(said.text, HasSubstr("possible deadlock of priority flow control: leaf"));
  }
  for (const std::string& file : {ring, shift}) std::filesystem::remove(file);
}

TEST(FabricCommand, BadInputIsOneLineWithFileKeyAndExpectation) {
  const auto complaint = [](const std::string& arguments) {
    const Said said = fabric_there(arguments);
    EXPECT_EQ(said.exit_code, 2) << said.text;
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
    return said.text;
  };
  EXPECT_THAT(complaint("describe missing.toml"), HasSubstr("missing.toml"));
  EXPECT_THAT(complaint("describe zone.toml --set rooting=ecmp"), HasSubstr("rooting: unknown key"));
  EXPECT_THAT(complaint("describe zone.toml --set queue_pairs=0"),
              HasSubstr("--set routing.queue_pairs: expected"));
  EXPECT_THAT(complaint("simulate zone-128.toml step.toml"),
              HasSubstr("step.toml:3: ranks: 1024 ranks, and the fabric has 128 GPUs"));
  EXPECT_THAT(complaint("compare zone.toml step.toml --vary routing"), HasSubstr("expected KEY=VALUE"));
  EXPECT_THAT(complaint("compare zone-128.toml full-racks.toml --vary hash=ideal,md5"),
              HasSubstr("--vary routing.hash: 'md5' is unknown"));
  EXPECT_THAT(complaint("compare zone-128.toml full-racks.toml --vary spines=16 --margin 90%"),
              HasSubstr("margin"));
}

}  // namespace
}  // namespace assay::cli
