// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Size, power and robustness of limits from a fleet, under noise of several shapes, by simulation.
#include "results/judge/fleet/node_quantile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace assay::results {
namespace {

using Draw = std::function<double(std::mt19937_64&)>;
using Nodes = std::vector<std::pair<std::string, double>>;

/// Bandwidths around 100 with a spread of about half a percent.
struct Shape {
  const char* name;
  Draw draw;
};

double normal(std::mt19937_64& random) { return std::normal_distribution<double>(0, 1)(random); }

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{
      {"normal", [](auto& random) { return 100 + 0.5 * normal(random); }},
      {"heavy tails",
       [](auto& random) { return 100 + 0.5 * std::student_t_distribution<double>(3)(random); }},
      {"skew to the bad side",
       [](auto& random) { return 100 - 0.5 * std::exponential_distribution<double>(1)(random); }},
      {"two kinds of boards", [](auto& random) { return (random() % 2 ? 100 : 99) + 0.5 * normal(random); }},
      {"rounded", [](auto& random) { return std::round(400 + 2 * normal(random)) / 4; }}};
  return all;
}

Nodes fleet(const Shape& shape, int nodes, std::mt19937_64& random) {
  Nodes values;
  for (int node = 0; node < nodes; ++node)
    values.emplace_back("h" + std::to_string(node), shape.draw(random));
  return values;
}

/// Share of a large sample that is within the limit.
double coverage_of(double limit, const std::vector<double>& population) {
  const auto within = std::ranges::count_if(population, [&](double value) { return value >= limit; });
  return static_cast<double>(within) / static_cast<double>(population.size());
}

TEST(NodeQuantile, CoversTheStatedShareWithTheStatedConfidenceWhateverTheNoise) {
  constexpr int fleets = 400;
  std::mt19937_64 random(1);
  for (const Shape& shape : shapes()) {
    std::vector<double> population(20'000);
    for (double& value : population) value = shape.draw(random);
    int covered = 0;
    for (int one = 0; one < fleets; ++one) {
      const NodeQuantile found = node_quantile(fleet(shape, 100, random), BadSide::low, {});
      ASSERT_EQ(found.why_not, "") << shape.name;
      // One in a hundred is far out under heavy tails, and takes no part.
      covered += coverage_of(found.limit, population) >= 0.94 ? 1 : 0;
    }
    EXPECT_GE(covered, 0.95 * fleets) << shape.name;
  }
}

TEST(NodeQuantile, FailsANodeThatIsSlowerThanTheNoiseExplains) {
  std::mt19937_64 random(2);
  const Shape& shape = shapes().front();
  int failed = 0;
  for (int one = 0; one < 400; ++one) {
    const NodeQuantile found = node_quantile(fleet(shape, 100, random), BadSide::low, {});
    failed += shape.draw(random) - 2.5 < found.limit ? 1 : 0;  // a loss of 2.5 %
  }
  EXPECT_GE(failed, 0.95 * 400);
}

TEST(NodeQuantile, FivePercentOfBadNodesMoveNoLimitBeyondTheCut) {
  std::mt19937_64 random(3);
  for (const Shape& shape : shapes())
    for (const double loss : {1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 40.0}) {
      for (int one = 0; one < 40; ++one) {
        const Nodes sound = fleet(shape, 100, random);
        Nodes bad = sound;
        for (std::size_t node = 0; node < 5; ++node) bad[node].second -= loss;
        const NodeQuantile clean = node_quantile(sound, BadSide::low, {}),
                           dirty = node_quantile(bad, BadSide::low, {});
        ASSERT_EQ(dirty.why_not, "") << shape.name << " " << loss;
        EXPECT_GE(dirty.limit, dirty.cut);
        // The bad nodes widen the measure of the noise to twice of it at most.
        EXPECT_GE(dirty.limit, clean.median - 2 * (clean.median - clean.cut)) << shape.name << " " << loss;
        EXPECT_LE(dirty.limit, clean.limit + 0.5) << "sound nodes fail: " << shape.name << " " << loss;
      }
    }
}

TEST(NodeQuantile, NamesNodesThatAreFarOut) {
  std::mt19937_64 random(4);
  Nodes nodes = fleet(shapes().front(), 80, random);
  nodes[7].second = 60;
  nodes[9].second = 0;
  const NodeQuantile found = node_quantile(nodes, BadSide::low, {});
  EXPECT_THAT(found.left_out, testing::IsSupersetOf({"h7", "h9"}));
  EXPECT_GT(found.limit, 97);
}

TEST(NodeQuantile, AHighValueIsBadWhereTimesAreLimited) {
  std::mt19937_64 random(5);
  Nodes nodes = fleet(shapes().front(), 80, random);
  nodes[7].second = 160;
  const NodeQuantile found = node_quantile(nodes, BadSide::high, {});
  EXPECT_THAT(found.left_out, testing::Contains("h7"));
  EXPECT_GT(found.limit, found.median);
  EXPECT_LE(found.limit, found.cut);
  EXPECT_EQ(found.quantile.upper, found.limit);
}

TEST(NodeQuantile, SaysHowManyNodesLack) {
  std::mt19937_64 random(6);
  EXPECT_EQ(nodes_needed({}), 59);
  const NodeQuantile few = node_quantile(fleet(shapes()[0], 40, random), BadSide::low, {});
  EXPECT_EQ(few.lacking(), 19);
  EXPECT_EQ(few.why_not, "40 nodes, and 59 for 95 % of them with 95 % confidence: 19 lack");
  EXPECT_EQ(node_quantile({}, BadSide::low, {}).lacking(), 59);
  EXPECT_EQ(node_quantile(fleet(shapes()[0], 59, random), BadSide::low, {}).why_not, "");
}

TEST(NodeQuantile, ManyNodesFarOutAreNoSinglePopulation) {
  std::mt19937_64 random(7);
  Nodes nodes = fleet(shapes().front(), 100, random);
  for (std::size_t node = 0; node < 20; ++node) nodes[node].second -= 30;
  EXPECT_EQ(node_quantile(nodes, BadSide::low, {}).why_not,
            "20 of 100 nodes are far out: no single population");
}

/// A limit made of them would sign the slow half.
TEST(NodeQuantile, OfTwoGroupsIsNone) {
  std::mt19937_64 random(8);
  struct Slow {
    double share, loss;
  };
  for (const Slow& slow : {Slow{0.3, 5}, Slow{0.45, 10}, Slow{0.55, 4}, Slow{0.8, 6}})
    for (int one = 0; one < 50; ++one) {
      Nodes nodes;
      for (int node = 0; node < 64; ++node)
        nodes.emplace_back("h" + std::to_string(node),
                           100 + 0.4 * normal(random) - (node < 64 * slow.share ? slow.loss : 0));
      const std::string why_not = node_quantile(nodes, BadSide::low, {}).why_not;
      EXPECT_THAT(why_not, testing::HasSubstr("no single population")) << slow.share;
      if (slow.share < 0.5) {
        EXPECT_EQ(why_not, std::to_string(static_cast<int>(std::ceil(64 * slow.share))) +
                               " of 64 nodes are slower than the rest: no single population");
      }
    }
}

}  // namespace
}  // namespace assay::results
