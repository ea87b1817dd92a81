// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/kinds/fabric_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/show/show.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

LinkReport link_of(int rank, LinkClass link_class, const std::string& counter = "", std::uint64_t moved = 0,
                   const std::string& about = "") {
  LinkReport link{.rank = rank, .link_class = link_class, .watched = 43};
  if (!counter.empty())
    link.counters.push_back({.counter = counter,
                             .outcome = core::CounterReport::Outcome::moved,
                             .moved = moved,
                             .speaks_for = link_class,
                             .about = about});
  return link;
}

TEST(LinkState, IsTheWorstOfAllRanksAndSaysWhose) {
  const LinkState state = link_state({link_of(0, LinkClass::congested, "a", 1, "x"),
                                      link_of(1, LinkClass::faulty, "symbol errors", 9, "y"),
                                      link_of(12, LinkClass::lossy, "b", 1, "z")});
  EXPECT_EQ(state.link_class, LinkClass::faulty);
  EXPECT_EQ(state.why, "rank 1: symbol errors +9 (y)");
}

TEST(LinkState, IsUnknownUnlessLossWasSeenElsewhere) {
  std::vector<LinkReport> links{{.rank = 0}, link_of(1, LinkClass::clean)};
  EXPECT_EQ(link_state(links).link_class, LinkClass::unknown);
  EXPECT_EQ(link_state(links).why, "rank 0: no counter of trouble could be read");
  links[1] = link_of(1, LinkClass::lossy);
  EXPECT_EQ(link_state(links).link_class, LinkClass::lossy);
}

TEST(LinkState, OfRanksThatReportTheSameNamesNone) {
  EXPECT_EQ(link_state({link_of(0, LinkClass::lossy, "rxe0 a", 1, "x"),
                        link_of(1, LinkClass::lossy, "rxe0 a", 1, "x")})
                .why,
            "rxe0 a +1 (x)");
}

TEST(LinkState, CountsTheRanksThatAreAsBad) {
  EXPECT_EQ(link_state({link_of(0, LinkClass::lossy, "rxe0 a", 1, "x"),
                        link_of(1, LinkClass::lossy, "rxe0 a", 2, "x")})
                .why,
            "rank 0: rxe0 a +1 (x); 1 more rank lossy");
}

TEST(LinkState, OfARecordWithoutAClassIsUnknown) {
  EXPECT_EQ(link_state({}).link_class, LinkClass::unknown);
  EXPECT_EQ(link_state({}).why, "the record names no class");
}

TEST(HostsByRank, AreThoseThatTheRecordNames) {
  const std::map<int, std::string> expected{{0, "node-a"}, {2, "node-c"}};
  EXPECT_EQ(hosts_by_rank({{"host", "node-a"}}, {{1, {{"device", "mlx5_0"}}}, {2, {{"host", "node-c"}}}}),
            expected);
}

TEST(AddressOfGid, IsThatOfRoceV2Only) {
  EXPECT_EQ(address_of_gid("10.1.0.7 (RoCE v2, index 3)"), "10.1.0.7");
  EXPECT_EQ(address_of_gid("fd00::7 (RoCE v2, index 1)"), "fd00::7");
  EXPECT_EQ(address_of_gid("fe80::1 (IB, index 0)"), "");
  EXPECT_EQ(address_of_gid("10.1.0.7 (RoCE v1, index 3)"), "");
  EXPECT_EQ(address_of_gid(""), "");
}

TEST(FlowsOf, AreSlowestFirstWithWhatTheyReachAlone) {
  FabricPoint point;
  point.flows = {{.from = 0, .to = 1, .gb_per_s = 5},
                 {.from = 7, .to = 8, .alone_gb_per_s = 2},
                 {.from = 10, .to = 2, .gb_per_s = 3, .alone_gb_per_s = 4}};
  const auto flows = flows_of(point);
  ASSERT_EQ(flows.size(), 3u);
  EXPECT_EQ(flows[0].from, 10);
  EXPECT_EQ(flows[0].to, 2);
  EXPECT_EQ(flows[0].gb_per_s, 3);
  EXPECT_EQ(flows[0].alone_gb_per_s, 4);
  EXPECT_EQ(flows[1].from, 0);
  EXPECT_EQ(flows[1].alone_gb_per_s, std::nullopt);
  EXPECT_EQ(flows[2].from, 7);
  EXPECT_EQ(flows[2].gb_per_s, std::nullopt);
}

TEST(FabricPoints, OfRepetitionsHaveTheMedianOfEachFlow) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(test::sample_context());
  for (const double rate : {40.0, 48.0, 46.0}) {
    auto point = test::sample_point("run-1", static_cast<std::int64_t>(rate));
    point.case_name = "rdma.verbs.pairs";
    point.repetition = static_cast<std::int64_t>(rate);
    point.flows = {{.from = 0, .to = 1, .gb_per_s = rate}, {.from = 1, .to = 0, .gb_per_s = 2 * rate}};
    if (rate == 40) point.flows[0].alone_gb_per_s = 50;
    store.add(point);
  }
  const auto flows = flows_of(fabric_points(RunPoints(store), "rdma.*").at(0));
  ASSERT_EQ(flows.size(), 2U);
  EXPECT_EQ(flows[0].gb_per_s, 46);
  EXPECT_EQ(flows[0].alone_gb_per_s, 50);
  EXPECT_EQ(flows[1].gb_per_s, 92);
}

TEST(UncleanText, CountsTheGravestFirst) {
  std::vector<FabricPoint> points(4);
  points[0].link.link_class = LinkClass::congested;
  points[1].link.link_class = LinkClass::faulty;
  points[2].link.link_class = points[3].link.link_class = LinkClass::clean;
  EXPECT_EQ(unclean_text(points), "2 of 4 points not clean: 1 faulty, 1 congested");
  points[1].link.why = "rank 1: symbol errors +9";
  points[1].point.case_name = "rdma.verbs.incast";
  points[1].point.axes = {{"operation", "write"}, {"bytes", std::int64_t{4096}}};
  EXPECT_EQ(worst_text(points), "incast write 4 KiB: faulty: rank 1: symbol errors +9");
  points.erase(points.begin(), points.begin() + 2);
  EXPECT_EQ(unclean_text(points), "");
  EXPECT_EQ(worst_text(points), "");
}

class FabricTables : public testing::Test {
 protected:
  FabricTables() {
    std::string lines;
    for (const Record& record : test::fixed_run()) lines += to_line(record) + "\n";
    test::write_text(folder_ / "run.jsonl", lines);
    store_.import_journal(folder_ / "run.jsonl");
  }
  /// The cell under that heading in the first row whose cell under `heading` reads `is`.
  Cell cell(const Table& table, const std::string& heading, const std::string& is,
            const std::string& wanted) {
    for (const auto& row : table.rows)
      if (cell_text(row[place(table, heading)], Column::Kind::text) == is) return row[place(table, wanted)];
    ADD_FAILURE() << "no row with " << heading << " " << is;
    return {};
  }
  static std::size_t place(const Table& table, const std::string& heading) {
    std::size_t at = 0;
    while (table.columns.at(at).name != heading) ++at;
    return at;
  }
  static double number(const Cell& cell) { return std::get<Number>(cell).value; }

  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
};

TEST_F(FabricTables, ADeviceWithoutARateHasNoPercentOfCeiling) {
  const Table table = make_table(store_, "rdma");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(cell(table, "operation", "read", "of ceiling")));
  EXPECT_EQ(std::get<std::string>(cell(table, "operation", "read", "class")), "unknown");
  EXPECT_NEAR(number(cell(table, "benchmark", "bandwidth", "of ceiling")), 1.32, 0.01);
}

TEST_F(FabricTables, AMessageRateHasItsBandwidthToo) {
  const Table table = make_table(store_, "rdma", {.filter = "rdma.*.message_rate"});
  ASSERT_EQ(table.rows.size(), 1u);
  const double rate = number(cell(table, "benchmark", "message_rate", "messages"));
  EXPECT_NEAR(rate, 180, 3);
  EXPECT_NEAR(number(cell(table, "benchmark", "message_rate", "bandwidth")), 8e-3 * rate, 1e-9);
}

TEST_F(FabricTables, PercentilesWithoutTheSamplesForThemAreNotShown) {
  const Table table = make_table(store_, "rdma_latency", {.filter = "rdma.*.latency"});
  EXPECT_TRUE(std::holds_alternative<Number>(cell(table, "operation", "write", "p99.9")));
  EXPECT_TRUE(std::holds_alternative<Number>(cell(table, "operation", "send", "p99")));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(cell(table, "operation", "send", "p99.9")));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(cell(table, "bytes", "65536", "p99")));
}

TEST_F(FabricTables, TheVictimOfAnIncastIsALatency) {
  const Table table = make_table(store_, "rdma_latency");
  EXPECT_EQ(number(cell(table, "benchmark", "incast victim", "median")), 61);
  EXPECT_EQ(number(cell(table, "benchmark", "incast victim", "p99")), 240);
  EXPECT_EQ(std::get<std::int64_t>(cell(table, "benchmark", "incast victim", "n")), 1200);
}

TEST_F(FabricTables, TheSlowestPairStandsFirstWithItsHosts) {
  const Table table = make_table(store_, "rdma_pairs");
  ASSERT_EQ(table.rows.size(), 12u + 4u + 2u);
  EXPECT_EQ(std::get<std::int64_t>(table.rows[0][place(table, "from")]), 2);
  EXPECT_EQ(std::get<std::string>(table.rows[0][place(table, "from host")]), "node-c");
  EXPECT_EQ(std::get<std::string>(table.rows[0][place(table, "to host")]), "node-d");
  EXPECT_NEAR(number(table.rows[0][place(table, "of median")]), 66.67, 0.01);
  EXPECT_EQ(number(table.rows[0][place(table, "alone")]), 32);
}

TEST_F(FabricTables, OfAStoreOfOtherModulesAreEmpty) {
  for (const auto* name : {"rdma", "rdma_latency", "rdma_pairs"})
    EXPECT_TRUE(make_table(store_, name, {.filter = "memory.*"}).rows.empty());
}

TEST_F(FabricTables, TheMemoryTablesHoldNoFabric) {
  for (const auto* name : {"memory", "latency"})
    EXPECT_THAT(to_csv(make_table(store_, name)), testing::Not(HasSubstr("verbs")));
}

TEST(FabricPoints, OfRepetitionsHaveTheWorstClassAndTheHighestTail) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(test::sample_context());
  for (std::int64_t repetition = 0; repetition < 2; ++repetition) {
    auto point = test::sample_point("run-1", repetition);
    point.case_name = "rdma.verbs.latency";
    point.repetition = repetition;
    point.links = {{.link_class = repetition == 0 ? LinkClass::lossy : LinkClass::clean}};
    point.metrics = {{"latency_us", "us", repetition == 0 ? 2.0 : 4.0, {}, {}}};
    point.time->p99_s = repetition == 0 ? 9e-6 : 8e-6;
    store.add(point);
  }
  const auto points = fabric_points(RunPoints(store), "rdma.*");
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].link.link_class, LinkClass::lossy);
  EXPECT_EQ(points[0].tail.p99_s, 9e-6);
  EXPECT_EQ(points[0].metric("latency_us"), 3);
  EXPECT_EQ(points[0].point.n, 6);
  EXPECT_THAT(make_table(store, "rdma_latency").notes.back(), HasSubstr("Repetitions are joined"));
}

}  // namespace
}  // namespace assay::results
