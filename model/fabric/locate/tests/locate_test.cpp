// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/locate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/core/error.hpp"
#include "harness/core/mix.hpp"
#include "model/fabric/locate/next_pairs.hpp"
#include "model/fabric/locate/tests/planted.hpp"
#include "model/fabric/presets.hpp"

namespace assay::model::fabric::locate {
namespace {

/// 32 hosts below 8 leaves, 4 spines.
Topology small() { return ai_zone({.leaves = 8, .gpus_per_leaf = 4, .spines = 4}); }

/// A plan of all rounds, measured on `topology`, and the location on a sound fabric of the same shape.
struct Located {
  Located(const Topology& topology, const Plan& plan, std::uint32_t hosts_per_machine = 0)
      : Located(measure(topology, plan), plan, hosts_per_machine) {}
  Located(std::vector<Measurement> measured, const Plan& plan, std::uint32_t hosts_per_machine = 0)
      : measurements(std::move(measured)),
        router(sound, routing_of(plan)),
        elements(sound, hosts_per_machine),
        incidence(router, elements, measurements, plan.concurrency),
        location(locate(incidence, measurements)) {}

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Suspect& one : location.suspects) names.push_back(elements.name(members(one).front()));
    return names;
  }
  const std::vector<ElementId>& members(const Suspect& one) const {
    return incidence.members(one.named.of_class);
  }
  bool includes(const Suspect& one, const std::string& name) const {
    return std::ranges::any_of(members(one), [&](ElementId id) { return elements.name(id) == name; });
  }

  Topology sound = small();
  std::vector<Measurement> measurements;
  Router router;
  Elements elements;
  Incidence incidence;
  Location location;
};

using Names = std::vector<std::string>;
constexpr Plan all_rounds{.rounds = 31};

TEST(Locate, NamesASlowLinkWithItsFactorWithinTheInterval) {
  Topology topology = small();
  topology.degrade(topology.link_named("leaf3>spine2"), 0.7);
  const Located located(topology, all_rounds);
  ASSERT_EQ(located.names(), (Names{"leaf3>spine2"}));
  const Suspect& one = located.location.suspects.front();
  EXPECT_LT(one.factor_low, 0.7);
  EXPECT_GT(one.factor_high, 0.7);
  EXPECT_NEAR(one.named.factor, 0.7, 0.02);
  EXPECT_GT(one.named.probability, 0.99);
  EXPECT_LT(one.chance, 1e-6);
}

TEST(Locate, NamesTheCableWhereBothDirectionsAreSlow) {
  Topology topology = small();
  topology.degrade(topology.link_named("leaf3>spine2"), 0.7);
  topology.degrade(topology.link_named("spine2>leaf3"), 0.7);
  EXPECT_EQ(Located(topology, all_rounds).names(), (Names{"leaf3-spine2"}));
}

TEST(Locate, NamesTheSwitchAndNotItsLinks) {
  Topology topology = small();
  const NodeId spine = topology.node_named("spine1");
  for (LinkId link = topology.first_down(spine); link < topology.end_down(spine); ++link) {
    topology.degrade(link, 0.8);
    topology.degrade(topology.reverse(link), 0.8);
  }
  EXPECT_EQ(Located(topology, all_rounds).names(), (Names{"spine1"}));
}

TEST(Locate, CannotDistinguishAHostFromItsCable) {
  Topology topology = small();
  topology.degrade(topology.link_named("host5>leaf1"), 0.8);
  topology.degrade(topology.link_named("leaf1>host5"), 0.8);
  const Located located(topology, all_rounds);
  ASSERT_EQ(located.names(), (Names{"host5-leaf1"}));
  EXPECT_TRUE(located.includes(located.location.suspects.front(), "host5"));
  EXPECT_TRUE(next_pairs(located.router, located.elements, located.incidence,
                         located.location.suspects.front(), located.location.noise)
                  .empty());
}

TEST(Locate, NamesTheMachineWhereAllItsHostsAreSlow) {
  Topology topology = small();
  for (NodeId host = 3; host < 6; ++host) {  // below two leaves
    topology.degrade(host, 0.8);
    topology.degrade(topology.link_to_host(host), 0.8);
  }
  EXPECT_EQ(Located(topology, all_rounds, 3).names(), (Names{"machine1 (host3 to host5)"}));
}

TEST(Locate, WhatAllLoseAlikeIsNoElement) {
  Plan plan = all_rounds;
  plan.level = 0.97;
  const Located located(small(), plan);
  EXPECT_EQ(located.names(), Names{});
  EXPECT_NEAR(located.location.level, 0.97, 0.003);
}

TEST(Locate, LearnsTheNoise) {
  Plan plan = all_rounds;
  EXPECT_NEAR(Located(small(), plan).location.noise.scale, 0.02, 0.002);
  EXPECT_EQ(Located(small(), plan).location.noise.degrees, 30);
  plan.noise_kind = PlantedNoise::student3;
  EXPECT_LE(Located(small(), plan).location.noise.degrees, 4);
}

TEST(Locate, WithUnknownPortsAllUplinksOfTheLeafAreOneClass) {
  Topology topology = small();
  topology.degrade(topology.link_named("leaf3>spine2"), 0.6);
  Plan plan = all_rounds;
  plan.ports_known = false;
  const Located located(topology, plan);
  ASSERT_EQ(located.location.suspects.size(), 1U);
  const Suspect& one = located.location.suspects.front();
  EXPECT_EQ(located.members(one).size(), 4U);
  EXPECT_TRUE(located.includes(one, "leaf3>spine2"));
  EXPECT_NEAR(one.named.factor, 0.6, 0.05);
}

TEST(Locate, NextPairsDistinguishWhatTheFirstCouldNot) {
  Topology topology = small();
  topology.degrade(topology.link_named("leaf3>spine2"), 0.6);
  Plan plan = all_rounds;
  plan.ports_known = false;
  const Located located(topology, plan);
  const std::vector<NextPair> next =
      next_pairs(located.router, located.elements, located.incidence, located.location.suspects.front(),
                 located.location.noise, {.pairs = 8});
  ASSERT_GE(next.size(), 2U);
  EXPECT_LE(next.front().bits, 1);  // a pair is slow or it is not
  EXPECT_GT(next.front().bits, 0.5);
  // They are measured without noise, as drawn.
  std::vector<Measurement> measurements = located.measurements;
  const Router router(topology, routing_of(plan));
  for (const NextPair& pair : next) {
    double least = topology.capacity(pair.source);
    const std::vector<LinkId> path = router.path_of(pair.source, pair.destination, *pair.ports);
    for (const LinkId link : path) least = std::min(least, topology.capacity(link));
    measurements.push_back({{{pair.source, pair.destination, {{pair.ports, {}}}}}, least, 0, 1000});
  }
  const Located again(measurements, plan);
  EXPECT_EQ(again.names(), (Names{"leaf3>spine2"}));
}

TEST(Locate, WithQueuePairsALinkSlowsAFlowOnlyBelowItsShare) {
  Topology topology = small();
  topology.degrade(topology.link_named("leaf3>spine2"), 0.3);
  Plan plan = all_rounds;
  plan.queue_pairs = 2;  // a link with one of two queue pairs limits the flow below half its rate
  EXPECT_EQ(Located(topology, plan).names(), (Names{"leaf3>spine2"}));
}

TEST(Locate, ByTheAverageALinkWithOneOfFourQueuePairsIsNamed) {
  const Topology sound = small();
  const LinkId slow = sound.link_named("leaf3>spine2");
  Plan plan = all_rounds;
  plan.queue_pairs = 4;
  std::vector<Measurement> measurements = measure(sound, plan);
  const Router router(sound, routing_of(plan));
  for (Measurement& one : measurements) {  // each queue pair over the link keeps half of its own rate
    const MeasuredFlow& flow = one.flows.front();
    for (const MeasuredQueuePair& pair : flow.queue_pairs)
      if (std::ranges::count(router.path_of(flow.source, flow.destination, *pair.ports), slow) > 0)
        one.rate -= one.rate / 8;
  }
  const Elements elements(sound);
  const Incidence incidence(router, elements, measurements, Concurrency::alone, QueuePairRule::average);
  const Location location = locate(incidence, measurements);
  ASSERT_EQ(location.suspects.size(), 1U);
  const Alternative& named = location.suspects.front().named;
  EXPECT_EQ(elements.name(incidence.members(named.of_class).front()), "leaf3>spine2");
  EXPECT_NEAR(named.factor, 0.5, 0.05);
}

TEST(Locate, ExplainsTheSlowestFlowOfAStep) {
  Topology topology = small();
  const LinkId slow = topology.link_named("leaf6>spine0");
  topology.degrade(slow, 0.5);
  const Plan plan = all_rounds;
  std::vector<Measurement> pairs = measure(topology, plan), steps;
  for (std::size_t at = 0; at + 4 <= pairs.size(); at += 4) {
    Measurement step = pairs[at];
    for (std::size_t one = at + 1; one < at + 4; ++one) {
      step.flows.push_back(pairs[one].flows.front());
      step.rate = std::min(step.rate, pairs[one].rate);
    }
    step.round = static_cast<std::uint32_t>(at);
    steps.push_back(std::move(step));
  }
  EXPECT_EQ(Located(steps, plan).names(), (Names{"leaf6>spine0"}));
}

TEST(Locate, AStandardErrorThatIsGivenWeighs) {
  Topology topology = small();
  std::vector<Measurement> measurements = measure(topology, all_rounds);
  for (Measurement& one : measurements) one.relative_error = 0.02;
  for (Measurement& one : measurements)
    if (one.flows.front().source == 7) {  // unreliable ones, which are slow
      one.rate *= 0.9;
      one.relative_error = 0.2;
    }
  EXPECT_EQ(Located(measurements, all_rounds).names(), Names{});
  for (Measurement& one : measurements) one.relative_error = 0.02;
  EXPECT_EQ(Located(measurements, all_rounds).names(), (Names{"host7>leaf1"}));
}

TEST(Locate, NamesLinksThatNoMeasurementCrosses) {
  const Topology topology = small();
  const Plan plan;
  std::vector<Measurement> measurements = measure(topology, plan);
  std::erase_if(measurements, [](const Measurement& one) { return one.flows.front().source == 3; });
  const Located located(measurements, plan);
  ASSERT_EQ(located.incidence.unseen().size(), 1U);
  EXPECT_EQ(located.elements.name(located.incidence.unseen().front()), "host3>leaf0");
}

TEST(Locate, TheSameSeedGivesTheSameFigures) {
  Topology topology = small();
  topology.degrade(topology.link_named("leaf3>spine2"), 0.8);
  const Located one(topology, all_rounds), other(topology, all_rounds);
  ASSERT_EQ(one.location.suspects.size(), 1U);
  EXPECT_EQ(one.location.threshold, other.location.threshold);
  EXPECT_EQ(one.location.suspects.front().gain, other.location.suspects.front().gain);
}

void expect_refused(const Measurement& measurement, const std::string& why) {
  const Topology topology = small();
  const Router router(topology, {});
  const Elements elements(topology);
  try {
    const Incidence incidence(router, elements, std::vector{measurement}, Concurrency::alone);
    ADD_FAILURE() << "expected: " << why;
  } catch (const core::Error& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(Locate, NamesNothingWhereTheNoiseIsLargerThanAnyLoss) {
  std::vector<Measurement> measured = measure(small(), all_rounds);
  for (std::size_t at = 0; at < measured.size(); ++at)
    measured[at].rate *= core::mix64(at) % 2 == 0 ? 1e-6 : 1e6;
  EXPECT_TRUE(Located(measured, all_rounds).names().empty());
}

TEST(Locate, RefusesWhatIsNoMeasurement) {
  expect_refused({{{0, 0, {{}}}}, 1}, "between two different hosts");
  expect_refused({{{0, 99, {{}}}}, 1}, "between two different hosts");
  expect_refused({{{0, 1, {{}}}}, 0}, "a rate above 0");
  expect_refused({{{0, 1, {{}}}}, NAN}, "a rate above 0");
  expect_refused({{}, 1}, "has no flow");
  expect_refused({{{0, 1, {}}}, 1}, "without a queue pair");
  const Topology topology = small();
  const Router router(topology, {});
  const Elements elements(topology);
  const Incidence incidence(router, elements, {}, Concurrency::alone);
  EXPECT_THROW(locate(incidence, {}), core::Error);
}

}  // namespace
}  // namespace assay::model::fabric::locate
