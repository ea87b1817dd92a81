// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <span>

#include "results/judge/acceptance/acceptance.hpp"
#include "results/judge/links/link_attribution.hpp"
#include "results/judge/series/fleet_store.hpp"
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
      const LinkEnd one{"h" + std::to_string(host), ""}, other{"h" + std::to_string(peer), ""};
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
  const LinkEnd alone{"alone", ""}, known{"h0", ""};
  ring.links.first.units.push_back({link_name(known, alone), "link", {}});
  ring.links.first.values.push_back(4);
  ring.ends[link_name(known, alone)] = {alone, known};
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

void add_symbol_errors(LinkReport& link) {
  link.link_class = LinkClass::faulty;
  link.counters = {{.counter = "mlx5_3 symbol_error",
                    .outcome = core::CounterReport::Outcome::moved,
                    .moved = 7,
                    .speaks_for = LinkClass::faulty,
                    .about = "symbol errors"}};
}

/// Every two of eight hosts on each of eight rails, in rounds that measure disjoint pairs at once. `slow`
/// says by how much the link of two hosts on a rail is slower.
void add_tournament(Store& store, int run, const std::function<double(int one, int other, int rail)>& slow,
                    int faulty_rank = -1) {
  constexpr int hosts = 8, rails = 8;
  test::RunBuilder builder("run" + std::to_string(run));
  builder.begin(0, "rdma");
  for (int one = 0; one < hosts; ++one)
    for (int other = one + 1; other < hosts; ++other) {
      PointRecord record = builder.point("rdma.verbs.bandwidth", {{"bytes", std::int64_t{1 << 20}},
                                                                  {"round", std::int64_t{8 * one + other}}});
      record.work_bytes = 1 << 20;
      record.conditions = {{"host", "h0"}, {"rail", std::int64_t{0}}, {"pairs_apart", "yes"}};
      for (int rank = 0; rank < hosts * rails; ++rank)
        record.links.push_back({.rank = rank, .link_class = LinkClass::clean, .watched = 9});
      if (faulty_rank / rails == one ||
          faulty_rank / rails == other)  // the others move nothing in this round
        if (faulty_rank >= 0) add_symbol_errors(record.links[static_cast<std::size_t>(faulty_rank)]);
      for (int rank = 1; rank < hosts * rails; ++rank)
        record.ranks.push_back(
            {rank, {{"host", "h" + std::to_string(rank / rails)}, {"rail", std::int64_t{rank % rails}}}});
      for (int rail = 0; rail < rails; ++rail)
        record.flows.push_back({.from = one * rails + rail,
                                .to = other * rails + rail,
                                .gb_per_s = 48 / slow(one, other, rail) *
                                            (1 + 0.001 * ((one * 7 + other * 3 + rail * 5 + run) % 9 - 4))});
      builder.measured(std::move(record), 22e-6,
                       {"bandwidth_gb_per_s", "GB/s", [](double s) { return (1 << 20) / s * 1e-9; }});
    }
  builder.end();
  for (Record& one : builder.take()) {
    if (auto* context = std::get_if<ContextRecord>(&one)) context->host = "h0";
    store.add(one);
  }
}

/// The units that `accept` fails, and levels that it calls divided, of four runs.
std::vector<std::string> failed_units(const std::function<double(int one, int other, int rail)>& slow) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  for (int run = 0; run < 4; ++run) add_tournament(store, run, slow);
  std::vector<std::string> failed;
  for (const FleetAcceptance& acceptance : accept_all(read_fleet(store, "", {}), {}))
    for (const VerdictRow& row : verdicts_of(acceptance).rows)
      if (row.verdict == Verdict::fail || row.because.find("unlike the rest") != std::string::npos)
        failed.push_back(row.kind + " " + row.unit);
  return failed;
}

TEST(LinksOnRails, AreUnitsNamedByHostsAndRails) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  add_tournament(store, 0, [](int, int, int) { return 1.0; });
  const std::vector<MeasuredFleet> fleets = read_fleet(store, "", {});
  ASSERT_EQ(fleets.size(), 2U);
  EXPECT_EQ(fleets[0].first.units.size(), 8U * 28U);
  for (const FleetIssue& one : fleets[0].doubted) FAIL() << one.reason;
  EXPECT_EQ(fleets[0].first.metrics.size(), 1U) << "a round is no metric of its own";
  EXPECT_EQ(fleets[0].first.units[1].name, "h0/rail1 - h1/rail1");
  EXPECT_EQ(fleets[0].first.units[1].places, std::vector<std::string>{"rail1"});
  EXPECT_NEAR(fleets[0].first.values[1], (1 << 20) / 48e9, 1e-7);
  EXPECT_EQ(fleets[1].first.unit_level, "port");
  EXPECT_EQ(fleets[1].first.units.size(), 64U);
}

TEST(LinksOnRails, OfASoundFleetPass) {
  EXPECT_THAT(failed_units([](int, int, int) { return 1.0; }), testing::IsEmpty());
}

TEST(LinksOnRails, NameTheSlowLink) {
  EXPECT_THAT(failed_units([](int one, int other, int rail) {
                return one == 2 && other == 5 && rail == 3 ? 1.2 : 1.0;
              }),
              testing::ElementsAre("link h2/rail3 - h5/rail3"));
}

TEST(LinksOnRails, NameTheSlowAdapter) {
  EXPECT_THAT(failed_units([](int one, int other, int rail) {
                return (one == 2 || other == 2) && rail == 3 ? 1.2 : 1.0;
              }),
              testing::ElementsAre("port h2/rail3"));
}

TEST(LinkEnds, OfAHostOfTwoPortsNameTheSlowOneThoughTheHostIsBeyondTheMarginToo) {
  std::vector<double> run_noise{0.0004, -0.0003, 0.0002, -0.0001};
  std::vector<Fleet> fleets;
  for (const double noise : run_noise) {
    Fleet fleet;
    fleet.unit_level = "port";
    fleet.levels = {"host"};
    fleet.metrics = {{"rdma", "rdma", false}};
    for (int unit = 0; unit < 16; ++unit) {
      const std::string host = "h" + std::to_string(unit / 2);
      fleet.units.push_back({host + "/rail" + std::to_string(unit % 2), "x", {host}});
      const double slow = unit == 9 ? 1.036 : 1.0;
      fleet.values.push_back(slow * (1 + noise * ((unit * 7) % 5 - 2)));
    }
    fleets.push_back(std::move(fleet));
  }
  const FleetJudgement judged = judge_fleet(fleets.front(), std::span(fleets).subspan(1), {});
  ASSERT_EQ(judged.findings.size(), 1U);
  EXPECT_EQ(judged.findings.front().place, "h4/rail1");
}

TEST(LinksOnRails, NameTheSlowHostAndTheLinkOfItThatIsSlowerStill) {
  EXPECT_THAT(failed_units([](int one, int other, int rail) {
                const double host = one == 2 || other == 2 ? 1.1 : 1.0;
                return one == 2 && other == 5 && rail == 3 ? 1.2 * host : host;
              }),
              testing::UnorderedElementsAre("host h2", "link h2/rail3 - h5/rail3"));
}

TEST(LinksOnRails, NameTheSlowRail) {
  EXPECT_THAT(failed_units([](int, int, int rail) { return rail == 3 ? 1.15 : 1.0; }),
              testing::ElementsAre("rail rail3"));
}

TEST(LinksOnRails, OfAPortWhoseCountersFailAreThatPortsAndOthersOfThePointCount) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  for (int run = 0; run < 4; ++run) add_tournament(store, run, [](int, int, int) { return 1.0; }, 2 * 8 + 3);
  const auto all = accept_all(read_fleet(store, "", {}), {});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(all[0].measured.doubted.empty()) << all[0].measured.doubted.front().text();
  EXPECT_TRUE(all[0].measured.missing.empty()) << all[0].measured.missing.front().text();
  ASSERT_EQ(all[1].measured.failed.size(), 1U);
  EXPECT_EQ(all[1].measured.failed[0].text(),
            "h2/rail3: faulty in 28 of 112 points: mlx5_3 symbol_error +196");
  EXPECT_EQ(all[0].judged.looks.front().passed, 8 * 28 - 7);
}

TEST(LinksOnRails, OfFlowsThatShareAnAdapterAreNotJudgedApart) {
  FleetPoint point;
  point.case_name = "rdma.verbs.incast";
  point.evidence.time_s = 1;
  point.evidence.work_bytes = 100;
  point.evidence.conditions = R"({"host":"h0"})";
  point.evidence.ranks = {{1, {{"host", "h1"}}}, {2, {{"host", "h2"}}}};
  point.evidence.flows = {{.from = 1, .to = 0, .gb_per_s = 20}, {.from = 2, .to = 0, .gb_per_s = 20}};
  ASSERT_EQ(point.links().size(), 1U);
  EXPECT_EQ(point.links()[0].other.name(), "h1");
  EXPECT_EQ(point.links()[0].time_s, 1);
}

}  // namespace
}  // namespace assay::results
