// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/arrival_rates.hpp"

#include <gtest/gtest.h>

#include <string>

namespace assay::team {
namespace {

SocketAddress address_of(const std::string& text) { return resolve({text, 1}).front(); }

/// How many of `calls` at this moment are let in.
int let_in(ArrivalRates& rates, const std::string& from, int calls, double now_s) {
  int taken = 0;
  for (int call = 0; call < calls; ++call) taken += rates.admit(address_of(from), now_s) ? 1 : 0;
  return taken;
}

constexpr ArrivalLimits ten_a_second{
    .per_s = 10, .burst = 20, .all_per_s = 100, .all_burst = 60, .most_addresses = 4};

TEST(ArrivalRates, LetABurstInAndThenSoManyASecond) {
  ArrivalRates rates(ten_a_second);
  EXPECT_EQ(let_in(rates, "10.0.0.1", 1000, 5), 20);
  EXPECT_EQ(let_in(rates, "10.0.0.1", 1000, 5.5), 5);
  EXPECT_EQ(let_in(rates, "10.0.0.1", 1000, 500), 20) << "never more than the burst";
}

TEST(ArrivalRates, CountEveryAddressByItself) {
  ArrivalRates rates(ten_a_second);
  EXPECT_EQ(let_in(rates, "10.0.0.1", 1000, 5), 20);
  EXPECT_EQ(let_in(rates, "10.0.0.2", 1, 5), 1);
  EXPECT_EQ(let_in(rates, "::ffff:10.0.0.1", 1000, 5), 0) << "IPv6 that carries IPv4";
  EXPECT_EQ(let_in(rates, "fe80::1", 1000, 5), 20);
}

TEST(ArrivalRates, BoundWhatAllAddressesTakeTogether) {
  ArrivalRates rates(ten_a_second);
  int taken = 0;
  for (int host = 1; host <= 200; ++host) taken += let_in(rates, "10.0.1." + std::to_string(host), 5, 5);
  EXPECT_LE(taken, 60);
  EXPECT_LE(rates.addresses(), 4u) << "and so does the table";
}

TEST(ArrivalRates, ForgetAddressesThatAreQuiet) {
  ArrivalRates rates(ten_a_second);
  for (int host = 1; host <= 4; ++host) let_in(rates, "10.0.1." + std::to_string(host), 20, 5);
  let_in(rates, "10.0.1.5", 12, 8);
  EXPECT_EQ(rates.addresses(), 1u) << "the first four are as good as new";
  EXPECT_EQ(let_in(rates, "10.0.1.5", 1000, 8), 8);
}

TEST(ArrivalRates, GiveBackWhatAMemberTook) {
  ArrivalRates rates(ten_a_second);
  for (int call = 0; call < 1000; ++call) {
    ASSERT_EQ(let_in(rates, "10.0.0.1", 1, 5), 1) << call;
    rates.give_back(address_of("10.0.0.1"));
  }
  EXPECT_EQ(let_in(rates, "10.0.0.1", 1000, 5), 20) << "and no more than it took";
}

}  // namespace
}  // namespace assay::team
