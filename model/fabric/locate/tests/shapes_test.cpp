// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Locating on fabrics that are no trees of full tiers.
#include <gtest/gtest.h>

#include <string>

#include "model/fabric/locate/locate.hpp"
#include "model/fabric/locate/next_pairs.hpp"
#include "model/fabric/locate/tests/planted.hpp"
#include "model/fabric/presets.hpp"

namespace assay::model::fabric::locate {
namespace {

constexpr Plan seven_rounds{.rounds = 7};

/// Two hosts on each of four leaves.
std::vector<NamedCable> eight_hosts() {
  std::vector<NamedCable> cables;
  for (int host = 0; host < 8; ++host)
    cables.push_back({"host" + std::to_string(host), "leaf" + std::to_string(host / 2)});
  return cables;
}

TEST(LocateShapes, NamesTheSlowLinkOfARing) {
  std::vector<NamedCable> cables = eight_hosts();
  for (int leaf = 0; leaf < 4; ++leaf)
    cables.push_back({"leaf" + std::to_string(leaf), "leaf" + std::to_string((leaf + 1) % 4)});
  const Topology sound = from_cables(cables);
  Topology slow = sound;
  slow.degrade(slow.link_named("leaf1>leaf2"), 0.5);
  const Router router(sound, routing_of(seven_rounds));
  const Elements elements(sound, 0);
  const std::vector<Measurement> measurements = measure(slow, seven_rounds);
  const Incidence incidence(router, elements, measurements, seven_rounds.concurrency);
  const Location location = locate(incidence, measurements);
  ASSERT_EQ(location.suspects.size(), 1U);
  EXPECT_EQ(elements.name(incidence.members(location.suspects.front().named.of_class).front()),
            "leaf1>leaf2");
}

TEST(LocateShapes, NextPairsPassALeafWithoutHosts) {
  std::vector<NamedCable> cables = eight_hosts();
  for (int leaf = 0; leaf < 5; ++leaf)
    for (int spine = 0; spine < 2; ++spine)
      cables.push_back({"leaf" + std::to_string(leaf), "spine" + std::to_string(spine)});
  const Topology sound = from_cables(cables);
  const Router router(sound, routing_of(seven_rounds));
  const Elements elements(sound, 0);
  const std::vector<Measurement> measurements = measure(sound, seven_rounds);
  const Incidence incidence(router, elements, measurements, seven_rounds.concurrency);
  Suspect suspect;
  for (std::size_t one = 0; one < incidence.classes(); ++one)
    if (elements.name(incidence.members(one).front()).starts_with("spine"))
      suspect.others.push_back({one, 1, 0.5});
  ASSERT_GE(suspect.others.size(), 2U);
  suspect.named = suspect.others.back();
  const Noise noise = locate(incidence, measurements).noise;
  for (const NextPair& pair : next_pairs(router, elements, incidence, suspect, noise))
    EXPECT_NE(pair.source, pair.destination);
}

}  // namespace
}  // namespace assay::model::fabric::locate
