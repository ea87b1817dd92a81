// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Times of occupancy sharing compared with packet simulations, with their routes.
#include "model/fabric/tests/packet_case.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/fabric/tests/vectors.hpp"

namespace assay::model::fabric {
namespace {

constexpr double most_bias = 0.06;

struct Tolerance {
  const char* name;
  double mean_absolute, makespan;
};

std::string name_of(const testing::TestParamInfo<Tolerance>& info) { return info.param.name; }

class PacketCases : public testing::TestWithParam<Tolerance> {};

TEST_P(PacketCases, TimesOfFlowsAgree) {
  if (!has_vectors()) GTEST_SKIP() << no_vectors;
  const PacketCase one = packet_case(GetParam().name);
  const CaseErrors errors = errors_of(one, simulate(one));
  RecordProperty("mean_absolute", std::to_string(errors.mean_absolute));
  EXPECT_LE(errors.mean_absolute, GetParam().mean_absolute);
  EXPECT_LE(std::abs(errors.mean), most_bias);
  EXPECT_LE(std::abs(errors.makespan), GetParam().makespan);
}

INSTANTIATE_TEST_SUITE_P(Incast, PacketCases,
                         testing::Values(Tolerance{"incast16", 0.035, 0.15},
                                         Tolerance{"incast64", 0.035, 0.15},
                                         Tolerance{"victim8", 0.035, 0.15}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Windows, PacketCases,
                         testing::Values(Tolerance{"window_64k_incast16", 0.035, 0.15},
                                         Tolerance{"window_128k_incast16", 0.035, 0.15},
                                         Tolerance{"window_256k_incast16", 0.035, 0.15},
                                         Tolerance{"window_512k_incast16", 0.035, 0.15},
                                         Tolerance{"window_64k_one", 0.035, 0.15},
                                         Tolerance{"window_256k_one", 0.035, 0.15}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    Permutations, PacketCases,
    testing::Values(Tolerance{"perm128_q1_s1", 0.13, 0.15}, Tolerance{"perm128_q1_s2", 0.13, 0.15},
                    Tolerance{"perm128_q1_s3", 0.13, 0.15}, Tolerance{"perm128_q4", 0.13, 0.15},
                    Tolerance{"perm128_q16", 0.13, 0.15}, Tolerance{"shift256_q1", 0.13, 0.15},
                    Tolerance{"shift256_q4", 0.13, 0.15}, Tolerance{"oversub4_perm128", 0.13, 0.15},
                    Tolerance{"perm432_s1", 0.13, 0.25}),
    name_of);

INSTANTIATE_TEST_SUITE_P(Collectives, PacketCases,
                         testing::Values(Tolerance{"alltoall32", 0.035, 0.15},
                                         Tolerance{"halving_doubling32", 0.13, 0.15},
                                         Tolerance{"doubling32", 0.035, 0.15}),
                         name_of);

class SprayedCases : public testing::TestWithParam<const char*> {};

TEST_P(SprayedCases, TimesAgreeWithinATenth) {
  if (!has_vectors()) GTEST_SKIP() << no_vectors;
  const PacketCase one = packet_case(GetParam());
  const CaseErrors errors = errors_of(one, simulate_sprayed(one));
  RecordProperty("mean_absolute", std::to_string(errors.mean_absolute));
  RecordProperty("makespan", std::to_string(errors.makespan));
  EXPECT_LE(errors.mean_absolute, 0.1);
  EXPECT_LE(std::abs(errors.mean), 0.1);
  EXPECT_LE(std::abs(errors.makespan), 0.1);
}

std::string name_of_sprayed(const testing::TestParamInfo<const char*>& info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(Receivers, SprayedCases,
                         testing::Values("spray_eqds_perm128", "spray_ndp_perm128", "eqds_incast16",
                                         "ndp_incast16"),
                         name_of_sprayed);

bool is_sprayed(const PacketCase& one) { return !one.transport.starts_with("roce"); }

/// The tolerance of a kind of case; permutations and collectives meet more than one queue.
Tolerance tolerance_of(const PacketCase& one) {
  const bool one_queue = one.name.find("incast") != std::string::npos || one.name.starts_with("victim") ||
                         one.name.starts_with("window");
  return {nullptr,
          is_sprayed(one) ? 0.1
          : one_queue     ? 0.035
                          : 0.13,
          is_sprayed(one)                ? 0.1
          : one.topology == "fat-tree-3" ? 0.25
                                         : 0.15};
}

/// Also of an index other than the one whose cases are above. Flowlets choose by queue length, which no route
/// states: flowlet_test.
TEST(PacketCasesOfTheIndex, Agree) {
  if (!has_vectors()) GTEST_SKIP() << no_vectors;
  for (const std::string& name : names_of_cases()) {
    SCOPED_TRACE(name);
    const PacketCase one = packet_case(name);
    if (one.routing.find("flowlet") != std::string::npos) continue;
    const CaseErrors errors = errors_of(one, is_sprayed(one) ? simulate_sprayed(one) : simulate(one));
    const Tolerance most = tolerance_of(one);
    EXPECT_LE(errors.mean_absolute, most.mean_absolute);
    EXPECT_LE(std::abs(errors.mean), is_sprayed(one) ? 0.1 : most_bias);
    EXPECT_LE(std::abs(errors.makespan), most.makespan);
  }
}

}  // namespace
}  // namespace assay::model::fabric
