// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Answers about fabrics of the shapes that sites have, each given as a list of links.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "harness/core/error.hpp"
#include "model/fabric/simulate/answer/describe.hpp"
#include "model/fabric/simulate/answer/shape_findings.hpp"
#include "model/fabric/simulate/tests/simulated.hpp"

namespace assay::model::fabric {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string list_of(const std::vector<std::string>& links, const std::string& more = "") {
  std::string toml = "preset = 'links'\nlinks = [";
  for (const std::string& link : links) toml += "'" + link + "', ";
  return toml + "]\n" + more;
}

std::vector<std::string> listed_ring(int switches) {
  std::vector<std::string> links;
  for (int at = 0; at < switches; ++at) {
    const std::string own = std::to_string(at);
    links.push_back("host" + own + ">leaf" + own);
    links.push_back("leaf" + own + ">leaf" + std::to_string((at + 1) % switches));
  }
  return links;
}

/// Each leaf lacks the spine of the number before it.
const std::vector<std::string> pulled_cables = {"host0>leaf0",  "host1>leaf1",  "host2>leaf2",
                                                "leaf0>spine0", "leaf0>spine1", "leaf1>spine1",
                                                "leaf1>spine2", "leaf2>spine2", "leaf2>spine0"};

Answer described(const std::string& toml) { return describe(parse_fabric(toml, "f.toml")); }

nlohmann::json facts_in(const Answer& answer) { return nlohmann::json::parse(answer.json); }

const std::string shift = "pattern = 'shift'\nby = 1\nbytes = '1MiB'\n";

TEST(ShapeAnswers, PulledCablesAreNoCircle) {
  const Answer answer = described(list_of(pulled_cables));
  EXPECT_TRUE(answer.holds);
  EXPECT_THAT(answer.sentence, HasSubstr("3 GPUs, 3 leaf switches, 3 spine switches"));
  EXPECT_THAT(facts_in(answer)["buffer_cycle"], IsEmpty());
}

TEST(ShapeAnswers, ACircleStandsBesideTheCounts) {
  const Answer answer = described(list_of(listed_ring(4)));
  EXPECT_FALSE(answer.holds);
  EXPECT_THAT(answer.sentence, HasSubstr("4 GPUs, 4 leaf switches; 4 cables within leaf; diameter 4 links"));
  EXPECT_THAT(answer.sentence, HasSubstr("circle, a possible deadlock"));
  EXPECT_EQ(answer.tables.size(), 2U);
  EXPECT_EQ(facts_in(answer)["buffer_cycle"].size(), 4U);
  EXPECT_EQ(facts_in(answer)["cables"], 8);
  EXPECT_TRUE(facts_in(answer)["bisection_gb_per_s"].is_null());
  EXPECT_THAT(answer.notes.back(), HasSubstr("all shortest paths: leaf0>leaf1 joins"));
}

TEST(ShapeAnswers, ACircleStandsBesideTheTimes) {
  const Simulated ring(list_of(listed_ring(4)), one_operation(4, shift));
  EXPECT_GT(ring.time_us(), 0);
  EXPECT_THAT(ring.result.rules, Not(testing::Contains(SharingRuleKind::occupancy)));
  const Answer plain = simulation_answer(ring.scenario, ring.result, {}, std::nullopt);
  const Answer answer = with_shape(ring.scenario.model(), plain);
  EXPECT_FALSE(answer.holds);
  EXPECT_THAT(answer.sentence, HasSubstr(plain.sentence + "; buffers can wait"));
  EXPECT_EQ(answer.tables.size(), plain.tables.size());
  EXPECT_EQ(facts_in(answer)["buffer_cycle"].size(), 4U);
  EXPECT_EQ(facts_in(answer)["notes"].back(), answer.notes.back());
}

TEST(ShapeAnswers, RefuseOccupancyInACircleByTheNamesOfItsCables) {
  try {
    const Simulated ring(list_of(listed_ring(4)), one_operation(4, shift),
                         {.sharing = SharingChoice::occupancy});
    FAIL() << "not refused";
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("leaf0>leaf1"));
    EXPECT_THAT(error.what(), HasSubstr("expected auto, bound or max-min"));
  }
}

TEST(ShapeAnswers, DistancesDoNotDependOnTheOrderOfLines) {
  for (const auto& links : {std::vector<std::string>{"host0>leaf0", "host1>leaf0"},
                            std::vector<std::string>{"host1>leaf0", "host0>leaf0"}}) {
    const Answer answer = described(list_of(links));
    EXPECT_EQ(facts_in(answer)["diameter_links"], 2);
    EXPECT_GT(facts_in(answer)["round_trip_us"], 4);
    EXPECT_GT(facts_in(answer)["full_rate_window_bytes"], 0);
  }
}

TEST(ShapeAnswers, TheFarthestHostsAreFoundWhereverTheyAre) {
  std::vector<std::string> links = {"host0>leaf0",  "host1>leaf1",  "host2>leaf2",  "leaf0>spine0",
                                    "leaf1>spine1", "leaf2>spine1", "spine0>core0", "spine1>core0"};
  EXPECT_EQ(facts_in(described(list_of(links)))["diameter_links"], 6);
  // A slow link of a host that is not the first counts in the round trip and in the window of the others.
  const double even = facts_in(described(list_of(links)))["round_trip_us"];
  const std::string slow = "[[degraded]]\nlink = 'leaf1>host1'\nfactor = 0.1\n";
  EXPECT_GT(facts_in(described(list_of(links, slow)))["round_trip_us"], even + 0.1);
}

TEST(ShapeAnswers, OneHostIsFarFromNone) {
  EXPECT_EQ(facts_in(described(list_of({"host0>leaf0"})))["diameter_links"], 0);
}

TEST(ShapeAnswers, RatiosAreOfSwitchesWithLinksDown) {
  const std::vector<std::string> links = {"host0>leaf0",  "host1>leaf0",  "host2>leaf1",  "host3>leaf1",
                                          "leaf0>spine0", "leaf1>spine0", "leaf2>spine0", "host4>spine0"};
  const Answer answer = described(list_of(links));
  EXPECT_THAT(answer.sentence, HasSubstr("1:2 above leaf; diameter 4"));
  EXPECT_EQ(facts_in(answer)["tiers"][1]["nodes"], 3) << "a leaf without hosts is one";
}

TEST(ShapeAnswers, TwoJoinedSwitchesAreDescribedAndSimulated) {
  const std::string pair =
      list_of({"host0>leaf0", "host1>leaf0", "host2>leaf1", "host3>leaf1", "leaf0>leaf1", "leaf0>leaf1"});
  const Answer answer = described(pair);
  EXPECT_TRUE(answer.holds);
  EXPECT_THAT(answer.sentence, HasSubstr("2 leaf switches; 2 cables within leaf; diameter 3 links"));
  EXPECT_GT(Simulated(pair, one_operation(4, shift)).time_us(), 0);
}

TEST(ShapeAnswers, TheRuleNamesTheHostsThatItIsFor) {
  const Answer answer = described(list_of({"host0>leaf0", "host1>spine0", "host2>spine1", "leaf0>spine0",
                                           "leaf0>spine1", "leaf1>spine0", "leaf1>spine1"}));
  EXPECT_THAT(answer.notes.back(), HasSubstr("from host1>spine0 to host2>spine1 none that goes up and"));
}

TEST(ShapeAnswers, APartThatNoCableJoinsIsNamed) {
  const std::string halves =
      list_of({"host0>leaf0", "host1>leaf1", "host2>leaf0", "leaf0>spine0", "leaf1>spine1"});
  const Answer answer = described(halves);
  EXPECT_FALSE(answer.holds);
  EXPECT_THAT(answer.sentence, HasSubstr("; no cable joins 2 hosts (host0, host2) and 1 host (host1)"));
  EXPECT_THAT(facts_in(answer)["cut_off_hosts"], ElementsAre("host1"));
  const Scenario all(parse_fabric(halves, "f.toml"), parse_workload(one_operation(3, shift), "w.toml"));
  EXPECT_THROW(cut_off_answer(all), core::Error);
  const Scenario some(parse_fabric(halves, "f.toml"), parse_workload(one_operation(2, shift), "w.toml"),
                      {0, 2});
  EXPECT_FALSE(cut_off_answer(some));
}

TEST(ShapeAnswers, PlanesThatServersJoinAreNoFault) {
  const std::vector<std::string> links = {"host0>leaf0", "host1>leaf1", "host2>leaf0", "host3>leaf1"};
  const Answer planes = described(list_of(links, "host = { gpus = 2 }\n"));
  EXPECT_TRUE(planes.holds);
  EXPECT_THAT(planes.notes.back(), HasSubstr("2 planes, which only servers join: 2 hosts (host0, host2)"));
  EXPECT_FALSE(described(list_of(links)).holds) << "nothing says which hosts are one server";
}

TEST(ShapeAnswers, ParallelCablesHaveNumbers) {
  const std::string both =
      "[[degraded]]\nlink = 'leaf0>spine0'\nfactor = 0.5\n"
      "[[degraded]]\nlink = 'leaf0>spine0#2'\nfactor = 0.25\n";
  const FabricModel model(
      parse_fabric(list_of({"host0>leaf0", "leaf0>spine0", "leaf0>spine0"}, both), "f.toml"));
  const LinkId first = model.topology().link_named("leaf0>spine0");
  EXPECT_DOUBLE_EQ(model.capacity(first), model.capacity(0) / 2);
  EXPECT_DOUBLE_EQ(model.capacity(first + 1), model.capacity(0) / 4);
  EXPECT_THROW(model.topology().link_named("leaf0>spine0#3"), core::Error);
  EXPECT_THROW(model.topology().link_named("leaf0>spine0#x"), core::Error);
}

/// Five hosts on any of some joined switches.
std::vector<std::string> drawn_links(std::mt19937_64& random) {
  const std::size_t leaves = 1 + random() % 4, spines = random() % 4;
  std::vector<std::string> switches, links;
  for (std::size_t at = 0; at < leaves; ++at) switches.push_back("leaf" + std::to_string(at));
  for (std::size_t at = 0; at < spines; ++at) switches.push_back("spine" + std::to_string(at));
  for (std::size_t at = 1; at < switches.size(); ++at)
    links.push_back(switches[random() % at] + ">" + switches[at]);
  for (std::size_t more = random() % 5; more > 0; --more) {
    const std::string &one = switches[random() % switches.size()],
                      &other = switches[random() % switches.size()];
    if (one != other) links.push_back(one + ">" + other);
  }
  links.push_back("host0>leaf0");
  for (int host = 1; host < 5; ++host)
    links.push_back("host" + std::to_string(host) + ">" + switches[random() % switches.size()]);
  std::ranges::shuffle(links, random);
  return links;
}

TEST(ShapeAnswers, NoConnectedGraphIsRefused) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 100; ++round) {
    const std::vector<std::string> links = drawn_links(random);
    const Simulated one(list_of(links), one_operation(5, shift));
    EXPECT_GT(one.time_us(), 0);
    const Topology& topology = one.scenario.model().topology();
    std::size_t diameter = 0;
    for (NodeId from = 0; from < 5; ++from)
      for (NodeId to = 0; to < 5; ++to)
        if (from != to)
          Router(topology, {}).route(from, to, 1, 0, [&](std::span<const LinkId> path, std::uint64_t) {
            diameter = std::max(diameter, path.size());
          });
    const auto facts = facts_in(described(list_of(links)));
    EXPECT_EQ(facts["diameter_links"], diameter) << list_of(links);
    EXPECT_EQ(facts["cables"], links.size());
    EXPECT_EQ(facts["gpus"], 5);
  }
}

}  // namespace
}  // namespace assay::model::fabric
