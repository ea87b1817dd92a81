// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/max_min.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>

#include "model/fabric/tests/vectors.hpp"

namespace assay::model::fabric {
namespace {

struct Sharing {
  Paths paths = {};
  std::vector<double> capacity = {}, weight = {}, limit = {};
};

std::vector<FlowId> all_flows(const Paths& paths) {
  std::vector<FlowId> flows(paths.size());
  std::iota(flows.begin(), flows.end(), FlowId{0});
  return flows;
}

std::vector<double> rates_of(const Sharing& sharing, const std::vector<FlowId>& flows) {
  MaxMin rule(sharing.paths, sharing.capacity, sharing.weight, sharing.limit);
  std::vector<double> rates(sharing.paths.size());
  rule.share(flows, rates);
  return rates;
}

Sharing random_sharing(std::mt19937_64& random) {
  std::uniform_real_distribution<double> number(0.5, 10);
  Sharing sharing;
  for (int link = 0; link < 12; ++link) sharing.capacity.push_back(number(random));
  std::vector<LinkId> links(sharing.capacity.size());
  std::iota(links.begin(), links.end(), LinkId{0});
  for (int flow = 0; flow < 40; ++flow) {
    std::ranges::shuffle(links, random);
    sharing.paths.append(std::span(links).first(1 + random() % 5));
    sharing.weight.push_back(number(random));
    sharing.limit.push_back(random() % 3 == 0 ? number(random) / 10
                                              : std::numeric_limits<double>::infinity());
  }
  return sharing;
}

std::vector<double> load_of(const Sharing& sharing, const std::vector<double>& rates) {
  std::vector<double> load(sharing.capacity.size());
  for (std::size_t flow = 0; flow < rates.size(); ++flow)
    for (const LinkId link : sharing.paths[flow]) load[link] += rates[flow];
  return load;
}

/// "34/5" or "7".
double rational(const std::string& text) {
  const std::size_t slash = text.find('/');
  return std::stod(text) / (slash == std::string::npos ? 1 : std::stod(text.substr(slash + 1)));
}

Sharing sharing_of(const nlohmann::json& vector) {
  Sharing sharing;
  sharing.capacity = vector.at("capacities").get<std::vector<double>>();
  sharing.weight = vector.at("weights").get<std::vector<double>>();
  for (const nlohmann::json& limit : vector.at("limits"))
    sharing.limit.push_back(limit.is_null() ? std::numeric_limits<double>::infinity() : limit.get<double>());
  for (const nlohmann::json& path : vector.at("flows")) sharing.paths.append(path.get<std::vector<LinkId>>());
  return sharing;
}

TEST(MaxMin, AgreesWithProgressiveFillingInRationalNumbers) {
  if (!has_vectors()) GTEST_SKIP() << no_vectors;
  int compared = 0;
  for (const nlohmann::json& vector : vector_json("maxmin.json")) {
    const Sharing sharing = sharing_of(vector);
    const std::vector<double> rates = rates_of(sharing, all_flows(sharing.paths));
    for (std::size_t flow = 0; flow < rates.size(); ++flow, ++compared) {
      const double expected = rational(vector.at("rates")[flow].get<std::string>());
      EXPECT_NEAR(rates[flow], expected, 1e-9 * expected) << vector.at("kind");
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(MaxMin, FillsALinkOfEachFlowOrReachesItsLimit) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 100; ++round) {
    const Sharing sharing = random_sharing(random);
    const std::vector<double> rates = rates_of(sharing, all_flows(sharing.paths));
    const std::vector<double> load = load_of(sharing, rates);
    for (std::size_t link = 0; link < load.size(); ++link)
      EXPECT_LE(load[link], sharing.capacity[link] * (1 + 1e-9));
    for (std::size_t flow = 0; flow < rates.size(); ++flow) {
      const bool stopped = std::ranges::any_of(sharing.paths[flow], [&](LinkId link) {
        return load[link] >= sharing.capacity[link] * (1 - 1e-9);
      });
      EXPECT_TRUE(stopped || rates[flow] >= sharing.limit[flow] * (1 - 1e-9));
    }
  }
}

TEST(MaxMin, DoesNotDependOnTheOrderOfFlowsAndScalesWithCapacity) {
  std::mt19937_64 random(5);
  Sharing sharing = random_sharing(random);
  std::vector<FlowId> flows = all_flows(sharing.paths);
  const std::vector<double> rates = rates_of(sharing, flows);
  std::ranges::shuffle(flows, random);
  const std::vector<double> shuffled = rates_of(sharing, flows);
  for (double& capacity : sharing.capacity) capacity *= 4;
  for (double& limit : sharing.limit) limit *= 4;
  const std::vector<double> scaled = rates_of(sharing, flows);
  for (std::size_t flow = 0; flow < rates.size(); ++flow) {
    EXPECT_NEAR(shuffled[flow], rates[flow], 1e-12 * rates[flow]);
    EXPECT_NEAR(scaled[flow], 4 * rates[flow], 1e-11 * rates[flow]);
  }
}

TEST(MaxMin, SharesAmongTheGivenFlowsOnly) {
  Sharing sharing{.capacity = {10}};
  for (int flow = 0; flow < 4; ++flow) sharing.paths.append(std::vector<LinkId>{0});
  const std::vector<double> rates = rates_of(sharing, {1, 3});
  EXPECT_EQ(rates, (std::vector<double>{0, 5, 0, 5}));
}

}  // namespace
}  // namespace assay::model::fabric
