// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/stored_units.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "results/judge/series/fleet_store.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"
#include "results/tests/small_fleet.hpp"

namespace assay::results {
namespace {

/// A point of each GPU, of the host, of a port and of the link to h1.
void add_every_kind(Store& store) {
  test::RunBuilder builder("kinds");
  const test::HeadlineOf headline{"time_us", "us", [](double s) { return s * 1e6; }};
  builder.begin(0, "memory");
  for (const std::int64_t gpu : {0, 1})
    builder.measured(builder.point("memory.cuda.copy", {{"gpu", gpu}, {"bytes", std::int64_t{8}}}), 1e-6,
                     headline);
  builder.measured(builder.point("memory.host.copy", {{"bytes", std::int64_t{8}}}), 1e-6, headline);
  builder.begin(1, "rdma");
  builder.measured(builder.point("rdma.verbs.bandwidth", {{"device", "mlx5_0"}, {"bytes", std::int64_t{8}}}),
                   1e-6, headline);
  PointRecord link = builder.point("rdma.verbs.latency", {{"bytes", std::int64_t{8}}});
  link.conditions = {{"host", "node-a"}, {"rail", std::int64_t{0}}};
  link.ranks = {{1, {{"host", "h1"}, {"rail", std::int64_t{0}}}}};
  builder.measured(link, 1e-6, headline);
  store.add(builder.take());
}

TEST(StoredUnits, AreThoseOfTheJudgeOfFleets) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  add_every_kind(store);
  StoredUnits units;
  units.look(store);
  std::map<std::string, std::string> levels, expected;
  for (const auto& [name, unit] : units.units()) levels[name] = unit.level;
  for (const MeasuredFleet& fleet : read_fleet(store, "", {}))
    for (const FleetUnit& unit : fleet.first.units) expected[unit.name] = fleet.first.unit_level;
  EXPECT_EQ(levels, expected);
  EXPECT_EQ(levels, (std::map<std::string, std::string>{{"node-a", "host"},
                                                        {"node-a/gpu0", "gpu"},
                                                        {"node-a/gpu1", "gpu"},
                                                        {"node-a/mlx5_0", "port"},
                                                        {"h1/rail0 - node-a/rail0", "link"}}));
  EXPECT_EQ(units.points(), 5);
}

TEST(StoredUnits, NameTheirLastRunAndItsTime) {
  const test::TemporaryFolder folder;
  test::put_small_fleet(folder / "store.db");
  StoredUnits units;
  units.look(Store(folder / "store.db"));
  const StoredUnit before = units.units().at("h3");
  EXPECT_EQ(before.points, 12);
  EXPECT_EQ(before.bad, 0);
  EXPECT_EQ(before.latest_run, "round3-h3");
  EXPECT_EQ(before.latest_started, "2026-01-02T03:03:10.000Z");
  EXPECT_EQ(before.origins, std::set<std::string>{"simulated"});
}

TEST(StoredUnits, SeeWhatWasAddedSince) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  StoredUnits units;
  units.look(store);
  EXPECT_EQ(units.points(), 0);
  EXPECT_TRUE(units.table(0).rows.empty());
  ContextRecord context = test::sample_context("r1");
  context.host = "h3", context.origin = Origin::simulated;
  PointRecord point = test::sample_point("r1");
  point.started = "2026-01-02T03:00:00.000Z";
  store.add(context), store.add(point);
  units.look(store);
  EXPECT_EQ(units.units().size(), 1U);
  EXPECT_EQ(units.points(), 1);
  point.sequence = 1, point.key += ",repetition=1", point.status = Status::failed, point.reason = "made up";
  point.started = "2026-01-02T03:00:05.000Z";
  context.run_id = "r2", context.origin = Origin::measured;
  store.add(point), store.add(context);
  point.run_id = "r2", point.started = "2026-01-02T02:00:00.000Z";
  store.add(point);
  units.look(store);
  const StoredUnit after = units.units().begin()->second;
  EXPECT_EQ(after.points, 3);
  EXPECT_EQ(after.bad, 2);
  EXPECT_EQ(after.latest_run, "r1") << "r2 came later into the store and was measured earlier";
  EXPECT_EQ(after.latest_started, "2026-01-02T03:00:05.000Z");
  EXPECT_EQ(after.origins, (std::set<std::string>{"measured", "simulated"}));
}

TEST(StoredUnits, ListThoseMeasuredLastFirst) {
  const test::TemporaryFolder folder;
  test::put_small_fleet(folder / "store.db");
  StoredUnits units;
  units.look(Store(folder / "store.db"));
  EXPECT_EQ(units.table(0).rows.size(), 10U);
  const Table table = units.table(3);
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(std::get<std::string>(table.rows[0][0]), "h9");
  EXPECT_EQ(std::get<std::string>(table.rows[2][0]), "h7");
  EXPECT_THAT(table.notes,
              testing::ElementsAre("The first 3 of 10 units, in the order of their last measurement."));
}

}  // namespace
}  // namespace assay::results
