// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Port rule and switch hashes of the fabric vectors, and how evenly the ideal hash deals flows to uplinks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/path/ideal_hash.hpp"
#include "harness/path/switch_hash.hpp"
#include "harness/path/udp_port.hpp"
#include "model/fabric/presets.hpp"
#include "model/fabric/routing/routing.hpp"
#include "model/fabric/tests/vectors.hpp"

namespace assay::model::fabric {
namespace {

TEST(HashVectors, AreEqual) {
  if (!has_vectors()) GTEST_SKIP() << no_vectors;
  const nlohmann::json vectors = vector_json("hashes.json");
  ASSERT_FALSE(vectors.at("cases").empty());
  for (const nlohmann::json& one : vectors.at("cases")) {
    const auto local = one.at("local_qpn").get<std::uint32_t>(),
               remote = one.at("remote_qpn").get<std::uint32_t>();
    path::FiveTuple flow{path::address_bytes(one.at("src").get<std::string>()),
                         path::address_bytes(one.at("dst").get<std::string>()),
                         path::udp_source_port(0, local, remote)};
    EXPECT_EQ(flow.source_port, one.at("udp_source_port"));
    EXPECT_EQ(hash_of(flow, path::SwitchHash::crc32, 0), one.at("crc32_ieee_of_src_dst_sport_dport_proto"));
    EXPECT_EQ(hash_of(flow, path::SwitchHash::toeplitz, 0), one.at("toeplitz_of_src_dst_sport_dport"));
    EXPECT_EQ(hash_of(flow, path::SwitchHash::xor_fold, 0), one.at("xor16"));
    flow.destination_qpn = remote;
    EXPECT_EQ(hash_of(flow, path::SwitchHash::crc32, 0),
              one.at("crc32_with_destination_qpn_appended_24_bit"));
  }
}

struct Estimate {
  double mean = 0, standard_error = 0;
};

/// Over `rounds` messages, each with QPs of its own, from the first host of every leaf: the worst max/mean.
Estimate worst_max_over_mean(int flows, std::uint32_t uplinks, std::uint32_t leaves, int rounds) {
  const Topology zone = ai_zone({.leaves = leaves + 1, .gpus_per_leaf = 2, .spines = uplinks});
  const Router router(zone, {.kind = RoutingKind::e_ecmp, .queue_pairs = flows});
  double sum = 0, squares = 0;
  for (int round = 0; round < rounds; ++round) {
    double worst = 0;
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
      std::vector<std::int64_t> used(uplinks);
      router.route(2 * leaf, 2 * leaves, static_cast<std::uint64_t>(flows), static_cast<std::uint32_t>(round),
                   [&](std::span<const LinkId> path, std::uint64_t) {
                     ++used[path[1] - zone.first_up(zone.leaf_of(2 * leaf))];
                   });
      worst = std::max(worst, path::spread_of(used).max_over_mean);
    }
    sum += worst;
    squares += worst * worst;
  }
  const double mean = sum / rounds;
  return {mean, std::sqrt((squares / rounds - mean * mean) / rounds)};
}

TEST(HashVectors, TheIdealHashDealsBallsIntoBins) {
  if (!has_vectors()) GTEST_SKIP() << no_vectors;
  const nlohmann::json vectors = vector_json("balls_in_bins.json");
  for (const nlohmann::json& one : vectors.at("one_leaf")) {
    const int flows = one.at("flows").get<int>();
    const auto uplinks = one.at("uplinks").get<std::uint32_t>();
    const double expected = one.at("expected_max_over_mean").get<double>();
    const Estimate seen = worst_max_over_mean(flows, uplinks, 1, 1000);
    EXPECT_NEAR(seen.mean, expected, 3 * seen.standard_error) << one;
    EXPECT_NEAR(path::exact_mean_max_over_mean(flows, static_cast<int>(uplinks)), expected, 1e-6) << one;
  }
}

TEST(HashVectors, TheWorstOfSeveralLeaves) {
  if (!has_vectors()) GTEST_SKIP() << no_vectors;
  const nlohmann::json vectors = vector_json("balls_in_bins.json");
  ASSERT_FALSE(vectors.at("worst_of_leaves").empty());
  for (const nlohmann::json& one : vectors.at("worst_of_leaves")) {
    const auto leaves = one.at("leaves").get<std::uint32_t>();
    const int flows = one.at("flows_per_leaf").get<int>();
    const int rounds = std::max(10, 2'000'000 / flows / static_cast<int>(leaves));
    const Estimate seen = worst_max_over_mean(flows, one.at("uplinks").get<std::uint32_t>(), leaves, rounds);
    const double error = std::hypot(seen.standard_error, one.at("standard_error").get<double>());
    EXPECT_NEAR(seen.mean, one.at("expected_worst_leaf_max_over_mean").get<double>(), 3 * error) << one;
  }
}

}  // namespace
}  // namespace assay::model::fabric
