// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The charts' data of the fixed run, whose winners are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "results/report/charts/charts.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre;

class CrossoverChart : public testing::Test {
 protected:
  CrossoverChart() {
    store_.add(test::fixed_run());
    points_ = collective_points(RunPoints(store_), "collectives.*");
    chart_ = crossover_chart(crossovers_of(contests_of(points_)));
  }
  /// One field of every entry of a list.
  std::vector<std::string> texts(const std::string& list, const std::string& field) const {
    std::vector<std::string> all;
    for (const auto& entry : chart_.at(list)) all.push_back(entry.at(field).dump());
    return all;
  }

  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
  std::vector<CollectivePoint> points_;
  nlohmann::ordered_json chart_;
};

TEST_F(CrossoverChart, HasEveryContenderOfEverySize) {
  EXPECT_EQ(chart_.at("points").size(), 4U * 3 + 3 * 2);
  EXPECT_EQ(chart_.at("points")[0].at("series"), "all_reduce on 4 ranks");
  EXPECT_EQ(chart_.at("same"), "fp32");
}

TEST_F(CrossoverChart, TellsWhereWhoReigns) {
  EXPECT_THAT(texts("reigns", "kernel"),
              ElementsAre("\"recursive_doubling\"", "\"mpi\"", "\"ring\"", "\"bruck\""));
  EXPECT_THAT(texts("reigns", "first"), ElementsAre("8192", "65536", "524288", "8192"));
  EXPECT_THAT(texts("reigns", "last"), ElementsAre("8192", "65536", "4194304", "67108864"));
}

TEST_F(CrossoverChart, SaysWhichWinsAreDecided) {
  const auto decided = texts("wins", "decided");
  EXPECT_EQ(decided.size(), 7U);
  EXPECT_EQ(std::ranges::count(decided, "false"), 1) << "at 64 MiB latency is nothing";
}

TEST_F(CrossoverChart, HasRegretsOnlyWhereALibraryRan) {
  EXPECT_THAT(texts("regrets", "bytes"), ElementsAre("8192", "65536", "524288", "4194304"));
  EXPECT_EQ(chart_.at("regrets")[1].at("value"), 1);
  EXPECT_NEAR(chart_.at("regrets")[3].at("value").get<double>(), 1.19, 0.02);
}

TEST_F(CrossoverChart, OfARunWithoutCollectivesIsEmpty) {
  EXPECT_TRUE(crossover_chart({}).at("points").empty());
}

TEST_F(CrossoverChart, PointsTellWhatTheWiresSawOverWhatIsImplied) {
  const auto ring =
      std::ranges::find_if(points_, [](const CollectivePoint& point) { return point.contender() == "ring"; });
  EXPECT_DOUBLE_EQ(ring->seen_over_implied().value(), (6 * 8192 + 4096) / (6 * 8192.0));
  const auto mpi =
      std::ranges::find_if(points_, [](const CollectivePoint& point) { return point.by_library(); });
  EXPECT_FALSE(mpi->seen_over_implied().has_value());  // nobody knows what it implies
}

}  // namespace
}  // namespace assay::results
