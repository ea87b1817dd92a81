// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/occupancy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

#include "harness/core/error.hpp"

namespace assay::model::fabric {
namespace {

using testing::DoubleNear;
using testing::Each;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Fabric {
  Paths paths = {};
  std::size_t links = 0;
};

std::vector<double> rates_of(const Fabric& fabric, QueueSettings queue, SenderSettings sender) {
  Occupancy rule(fabric.paths, std::vector<QueueSettings>(fabric.links, queue),
                 std::vector<SenderSettings>(fabric.paths.size(), sender));
  std::vector<FlowId> flows(fabric.paths.size());
  std::iota(flows.begin(), flows.end(), FlowId{0});
  std::vector<double> rates(fabric.paths.size());
  rule.share(flows, rates);
  return rates;
}

/// Flows 0 to 2 come over link 4 and flow 3 over link 5 into link 6; links 0 to 3 are their NICs.
Fabric parking_lot() {
  Fabric fabric{.links = 7};
  for (LinkId flow = 0; flow < 3; ++flow) fabric.paths.append(std::vector<LinkId>{flow, 4, 6});
  fabric.paths.append(std::vector<LinkId>{3, 5, 6});
  return fabric;
}

TEST(Occupancy, LongMessagesShareByPort) {
  const std::vector<double> rates = rates_of(parking_lot(), {12, 100}, {1e6, 12});
  EXPECT_NEAR(rates[0], 2, 0.02);
  EXPECT_NEAR(rates[3], 6, 0.02);
}

TEST(Occupancy, SmallWindowsShareByFlow) {
  EXPECT_THAT(rates_of(parking_lot(), {12, 100}, {1, 12}), Each(DoubleNear(3, 1e-9)));
}

TEST(Occupancy, WithoutPausesFlowsAreEqual) {
  EXPECT_THAT(rates_of(parking_lot(), {12, infinity}, {1e6, 12}), Each(DoubleNear(3, 1e-9)));
}

TEST(Occupancy, APausedPortStopsAFlowThatGoesElsewhere) {
  // Flows 0 and 1 share link 2; flow 0 goes into link 4 with flow 2 to 4, flow 1 alone into link 3.
  Fabric fabric{.links = 9};
  fabric.paths.append(std::vector<LinkId>{0, 2, 4});
  fabric.paths.append(std::vector<LinkId>{1, 2, 3});
  for (LinkId flow = 0; flow < 3; ++flow) fabric.paths.append(std::vector<LinkId>{5 + flow, 4});
  const std::vector<double> paused = rates_of(fabric, {12, 100}, {1e6, 12});
  EXPECT_NEAR(paused[0], 3, 0.05);
  EXPECT_NEAR(paused[1], 3, 0.05) << "the victim is as slow as what it is behind";
  const std::vector<double> free = rates_of(fabric, {12, infinity}, {1e6, 12});
  EXPECT_NEAR(free[1], 6, 1e-9);
}

TEST(Occupancy, ALoneFlowHasItsDemand) {
  Fabric fabric{.links = 3};
  fabric.paths.append(std::vector<LinkId>{0, 1, 2});
  EXPECT_THAT(rates_of(fabric, {12, 100}, {1e6, 12}), Each(12));
  EXPECT_THAT(rates_of(fabric, {12, 100}, {1e6, 5}), Each(5));
}

/// NICs 0 to 31, four uplinks for each eight of them, ports of receivers after these.
Fabric random_fabric(unsigned seed) {
  std::mt19937_64 random(seed);
  Fabric fabric{.links = 32 + 16 + 32};
  for (LinkId flow = 0; flow < 96; ++flow) {
    const LinkId host = flow % 32;
    const auto uplink = static_cast<LinkId>(32 + host / 8 * 4 + random() % 4);
    fabric.paths.append(std::vector<LinkId>{host, uplink, static_cast<LinkId>(48 + random() % 32)});
  }
  return fabric;
}

TEST(Occupancy, LoadsNoLinkAboveItsCapacityAndScales) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Fabric fabric = random_fabric(seed);
    const std::vector<double> rates = rates_of(fabric, {12, 100}, {1000, 12});
    const std::vector<double> scaled = rates_of(fabric, {24, 100}, {1000, 24});
    std::vector<double> load(fabric.links);
    for (std::size_t flow = 0; flow < rates.size(); ++flow) {
      EXPECT_GT(rates[flow], 0);
      EXPECT_NEAR(scaled[flow], 2 * rates[flow], 1e-9 * rates[flow]);
      for (const LinkId link : fabric.paths[flow]) load[link] += rates[flow];
    }
    EXPECT_THAT(load, Each(testing::Le(12 * (1 + 1e-9))));
  }
}

TEST(Occupancy, DoesNotDependOnTheOrderOfFlows) {
  const Fabric fabric = random_fabric(1);
  Occupancy one(fabric.paths, std::vector<QueueSettings>(fabric.links, {12, 100}),
                std::vector<SenderSettings>(fabric.paths.size(), {1000, 12}));
  Occupancy other = one;
  std::vector<FlowId> flows(fabric.paths.size());
  std::iota(flows.begin(), flows.end(), FlowId{0});
  std::vector<double> rates(flows.size()), backwards(flows.size());
  one.share(flows, rates);
  std::ranges::reverse(flows);
  other.share(flows, backwards);
  for (std::size_t flow = 0; flow < rates.size(); ++flow)
    EXPECT_NEAR(backwards[flow], rates[flow], 1e-9 * rates[flow]);
}

TEST(Occupancy, RefusesPathsThatCouldDeadlock) {
  Fabric fabric{.links = 3};
  for (LinkId link = 0; link < 3; ++link) fabric.paths.append(std::vector<LinkId>{link, (link + 1) % 3});
  EXPECT_THROW(rates_of(fabric, {12, 100}, {1e6, 12}), core::Error);
}

TEST(Occupancy, ThreadsChangeNoDigit) {
  std::mt19937_64 random(11);
  constexpr FlowId flows = 6000;
  constexpr LinkId first_leaf = 500, first_spine = 540, first_host = 600, links = 1100;
  Paths paths;
  const auto some = [&](LinkId first, LinkId count) { return first + static_cast<LinkId>(random() % count); };
  for (FlowId flow = 0; flow < flows; ++flow)
    paths.append(std::vector<LinkId>{some(0, 500), some(first_leaf, 40), some(first_spine, 60),
                                     some(first_host, 500)});
  std::vector<FlowId> all(flows);
  std::iota(all.begin(), all.end(), FlowId{0});
  std::vector<std::vector<double>> rates;
  for (const unsigned threads : {1U, 2U, 3U}) {
    Occupancy rule(paths, std::vector<QueueSettings>(links, {12, 100}),
                   std::vector<SenderSettings>(flows, {80, 12}), threads);
    rates.emplace_back(flows);
    for (int call = 0; call < 3; ++call) rule.share(all, rates.back());
  }
  EXPECT_EQ(rates[0], rates[1]);
  EXPECT_EQ(rates[0], rates[2]);
}

}  // namespace
}  // namespace assay::model::fabric
