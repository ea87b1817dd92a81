// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A run of made-up collectives whose winners are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/points/kinds/crossovers.hpp"
#include "results/show/show.hpp"
#include "results/tests/byte_sizes.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::Contains;
using testing::ElementsAre;

class Collectives : public testing::Test {
 protected:
  Collectives() { builder_.begin(0, "collectives"); }

  void add(const std::string& contender, std::int64_t bytes, double us, Fields conditions = {}) {
    const bool library = contender == "mpi";
    Fields axes{{"bytes", bytes}, {"dtype", "fp32"}};
    if (!library) axes.insert(axes.begin(), {"algorithm", contender});
    PointRecord record =
        builder_.point(library ? "collectives.mpi.all_reduce" : "collectives.assay.all_reduce", axes);
    record.conditions = std::move(conditions);
    record.conditions.emplace_back("ranks", std::int64_t{4});
    record.metrics.push_back({"busbw_gb_per_s", "GB/s", 1.5, {}, {}});
    builder_.measured(std::move(record), us * 1e-6, {"time_us", "us", [](double s) { return s * 1e6; }});
  }
  void add_nccl(const std::string& algorithm, const std::string& protocol, double us) {
    PointRecord record = builder_.point(
        "collectives.nccl.all_reduce",
        {{"launch", "blocking"}, {"algorithm", algorithm}, {"protocol", protocol}, {"bytes", kib}});
    record.conditions.emplace_back("ranks", std::int64_t{4});
    builder_.measured(std::move(record), us * 1e-6, {"time_us", "us", [](double s) { return s * 1e6; }});
  }
  void add_own_on_device(const std::string& algorithm, double us) {
    PointRecord record = builder_.point("collectives.assay_device.all_reduce",
                                        {{"algorithm", algorithm}, {"launch", "blocking"}, {"bytes", kib}});
    record.conditions.emplace_back("ranks", std::int64_t{4});
    builder_.measured(std::move(record), us * 1e-6, {"time_us", "us", [](double s) { return s * 1e6; }});
  }
  Store& store() {
    builder_.end();
    std::string lines;
    for (const Record& record : builder_.take()) lines += to_line(record) + "\n";
    test::write_text(folder_ / "run.jsonl", lines);
    store_.import_journal(folder_ / "run.jsonl");
    return store_;
  }
  std::vector<Contest> contests() {
    Store& imported = store();
    return contests_of(collective_points(RunPoints(imported), "collectives.*"));
  }

  std::vector<std::string> crossover_lines() {
    std::vector<std::string> lines;
    for (const Crossover& one : crossovers_of(contests())) lines.push_back(to_text(one));
    return lines;
  }

  test::TemporaryFolder folder_;
  test::RunBuilder builder_{"run-1"};
  Store store_{folder_ / "store.db"};
};

TEST_F(Collectives, AreNotStepsOfManyCollectives) {
  add("ring", kib, 40);
  builder_.measured(builder_.point("collectives.workload.preset", {{"workload", "ddp"}}), 1e-3,
                    {"time_us", "us", [](double s) { return s * 1e6; }});
  const auto points = collective_points(RunPoints(store()), "collectives.*");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].point.case_name, "collectives.assay.all_reduce");
}

TEST_F(Collectives, AreWonByTheFastestOfEachSize) {
  add("ring", kib, 40);
  add("recursive_doubling", kib, 20);
  add("mpi", kib, 30);
  const auto all = contests();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].winner().contender(), "recursive_doubling");
  EXPECT_EQ(all[0].ranks, 4);
  EXPECT_TRUE(all[0].decided());
  EXPECT_NEAR(all[0].regret()->value, 1.5, 0.05);
  EXPECT_LT(*all[0].regret()->lower, 1.5);
}

TEST_F(Collectives, OfWhichTheLibraryChoseTheBestHaveNoRegret) {
  add("ring", kib, 40);
  add("mpi", kib, 30);
  EXPECT_EQ(contests().at(0).regret()->value, 1);
}

TEST_F(Collectives, OfNcclAreItsOwnChoiceAgainstWhatItWasForcedTo) {
  add_nccl("default", "default", 30);
  add_nccl("tree", "ll", 20);
  add_nccl("ring", "default", 40);
  add_nccl("default", "simple", 50);
  const auto all = contests();
  ASSERT_EQ(all.size(), 1U);
  std::vector<std::string> contenders;
  for (const CollectivePoint& field : all[0].fields) contenders.push_back(field.contender());
  EXPECT_THAT(contenders, ElementsAre("tree/ll", "nccl", "ring", "any/simple"));
  EXPECT_EQ(all[0].library()->contender(), "nccl");
  EXPECT_NEAR(all[0].regret()->value, 1.5, 0.05);
}

TEST_F(Collectives, OnDevicesAreOurAlgorithmsAgainstNccl) {
  add_nccl("default", "default", 30);
  add_nccl("ring", "default", 40);
  add_own_on_device("ring", 20);
  const auto all = contests();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].winner().contender(), "own ring");
  EXPECT_EQ(all[0].library()->contender(), "nccl");
  EXPECT_NEAR(all[0].regret()->value, 1.5, 0.05);
}

TEST_F(Collectives, WithoutTheLibraryHaveNoRegretToTell) {
  add("ring", kib, 40);
  add("binomial_tree", kib, 30);
  EXPECT_FALSE(contests().at(0).regret().has_value());
}

TEST_F(Collectives, WhoseIntervalsMeetAreUndecided) {
  add("ring", kib, 30);
  add("binomial_tree", kib, 30.01);
  EXPECT_FALSE(contests().at(0).decided());
}

TEST_F(Collectives, OfOneContenderAreNoContest) {
  add("ring", kib, 40);
  add("mpi", mib, 30);
  EXPECT_TRUE(contests().empty());
}

TEST_F(Collectives, ThatAreNoPerformanceMeasurementTakeNoPart) {
  add("ring", kib, 40);
  add("binomial_tree", kib, 50);
  add("mpi", kib, 1, {{"not_a_performance_measurement", "several ranks on one GPU"}});
  const auto all = contests();
  EXPECT_EQ(all.at(0).winner().contender(), "ring");
  EXPECT_FALSE(all.at(0).regret().has_value());
}

TEST_F(Collectives, CrossOverWhereTheWinnerChanges) {
  for (const std::int64_t bytes : {mib, 8 * kib, 64 * kib, kib}) {
    add("ring", bytes, bytes >= 64 * kib ? 20 : 40);
    add("recursive_doubling", bytes, 30);
  }
  EXPECT_THAT(crossover_lines(),
              ElementsAre("all_reduce on 4 ranks: recursive_doubling to 8 KiB, ring from 64 KiB"));
}

TEST_F(Collectives, WonByOneAtEverySizeSaySo) {
  for (const std::int64_t bytes : {kib, mib}) {
    add("ring", bytes, 20);
    add("mpi", bytes, 30);
  }
  EXPECT_THAT(crossover_lines(), ElementsAre("all_reduce on 4 ranks: ring throughout"));
}

TEST_F(Collectives, MayGoBackAndForth) {
  for (const std::int64_t bytes : {kib, 8 * kib, 64 * kib}) {
    add("ring", bytes, bytes == 8 * kib ? 20 : 40);
    add("mpi", bytes, 30);
  }
  EXPECT_THAT(crossover_lines(),
              ElementsAre("all_reduce on 4 ranks: mpi to 1 KiB, ring at 8 KiB, mpi from 64 KiB"));
}

TEST_F(Collectives, AreTables) {
  add("ring", kib, 40);
  add("mpi", kib, 30);
  Store& imported = store();
  const Table points = make_table(imported, "collectives"), winners = make_table(imported, "crossover");
  EXPECT_EQ(points.rows.size(), 2U);
  EXPECT_EQ(winners.rows.size(), 1U);
  EXPECT_THAT(winners.notes, Contains("all_reduce on 4 ranks: mpi throughout."));
  EXPECT_THAT(to_text(points), testing::HasSubstr("1.5"));
}

}  // namespace
}  // namespace assay::results
