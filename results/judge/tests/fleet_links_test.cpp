// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "results/judge/fleet_store.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

/// Twelve hosts in a ring, each linked to its two neighbours on either side.
struct Ring {
  MeasuredFleet links;
  LinkEnds ends;
};

Ring ring_of(const std::function<double(int one, int other)>& time_us) {
  Ring ring;
  Fleet& fleet = ring.links.first;
  fleet.unit_level = "link";
  fleet.metrics = {{"rdma.verbs.latency", "rdma", false}};
  for (int host = 0; host < 12; ++host)
    for (const int step : {1, 2}) {
      const int peer = (host + step) % 12;
      const std::string one = "h" + std::to_string(host), other = "h" + std::to_string(peer);
      fleet.units.push_back({link_name(one, other), "link", {}});
      fleet.values.push_back(time_us(host, peer));
      ring.ends[link_name(one, other)] = {one, other};
    }
  return ring;
}

double time_at(const MeasuredFleet& ends, const std::string& host) {
  for (std::size_t unit = 0; unit < ends.first.units.size(); ++unit)
    if (ends.first.units[unit].name == host) return ends.first.at(0, unit);
  return 0;
}

TEST(LinkEnds, TellTheBadHostFromItsPeers) {
  const Ring ring = ring_of([](int one, int other) { return one == 3 || other == 3 ? 2.2 : 2.0; });
  const MeasuredFleet ends = ends_of(ring.links, ring.ends, {});
  ASSERT_EQ(ends.first.units.size(), 12U);
  EXPECT_NEAR(time_at(ends, "h3"), 2.2, 0.01);
  for (const char* sound : {"h1", "h2", "h4", "h5"}) EXPECT_NEAR(time_at(ends, sound), 2.0, 0.01) << sound;
}

TEST(LinkEnds, BlameNeitherHostForOneSlowLink) {
  const Ring ring = ring_of([](int one, int other) { return one == 3 && other == 4 ? 2.2 : 2.0; });
  const MeasuredFleet ends = ends_of(ring.links, ring.ends, {});
  EXPECT_NEAR(time_at(ends, "h3"), 2.0, 0.01);
  EXPECT_NEAR(time_at(ends, "h4"), 2.0, 0.01);
}

TEST(LinkEnds, OfHostsWithOnePeerAreNotTold) {
  Ring ring = ring_of([](int, int) { return 2.0; });
  ring.links.first.units.push_back({link_name("h0", "alone"), "link", {}});
  ring.links.first.values.push_back(4);
  ring.ends[link_name("h0", "alone")] = {"alone", "h0"};
  const MeasuredFleet ends = ends_of(ring.links, ring.ends, {});
  EXPECT_EQ(ends.first.units.size(), 12U);
  EXPECT_NEAR(time_at(ends, "h0"), 2.0, 0.01);
}

TEST(LinkEnds, AreReadFromPointsOfTwoHosts) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  for (int host = 0; host < 12; ++host)
    for (const int step : {1, 2}) {
      test::RunBuilder builder("run" + std::to_string(host) + "-" + std::to_string(step));
      builder.begin(0, "rdma");
      PointRecord record =
          builder.point("rdma.verbs.latency", {{"bytes", std::int64_t{8}}, {"device", std::string("auto")}});
      record.conditions = {{"host", "h" + std::to_string(host)},
                           {"rank1_host", "h" + std::to_string((host + step) % 12)}};
      builder.measured(std::move(record), 2e-6, {"latency_us", "us", [](double s) { return s * 1e6; }});
      builder.end();
      for (Record& one : builder.take()) {
        if (auto* context = std::get_if<ContextRecord>(&one)) context->host = "h" + std::to_string(host);
        store.add(one);
      }
    }
  const std::vector<MeasuredFleet> fleets = read_fleet(store, "", {});
  ASSERT_EQ(fleets.size(), 2U);
  EXPECT_EQ(fleets[0].first.unit_level, "link");
  EXPECT_EQ(fleets[0].first.units.size(), 24U);
  EXPECT_EQ(fleets[1].first.unit_level, "host");
  EXPECT_EQ(fleets[1].first.units.size(), 12U);
  EXPECT_THAT(fleets[1].first.metrics[0].name, testing::HasSubstr("as an end of links"));
}

}  // namespace
}  // namespace assay::results
