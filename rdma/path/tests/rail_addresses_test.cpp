// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/path/rail_addresses.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace assay::rdma {
namespace {

RailAddress on_ipv4(const std::string& host, int rail, std::uint8_t net, std::uint8_t number) {
  return {host, rail, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 77, net, number}};
}

/// A GID of InfiniBand in subnet `net`.
RailAddress on_infiniband(const std::string& host, int rail, std::uint8_t net, std::uint8_t number) {
  return {host, rail, {0xfe, 0xc0, 0, 0, 0, 0, 0, net, 0, 0, 0, 0, 0, 0, 0, number}};
}

TEST(CrossedRails, AreThoseWithAnAddressOfAnotherRail) {
  EXPECT_EQ(crossed_rails(std::vector{on_ipv4("h0", 0, 0, 1), on_ipv4("h0", 1, 1, 1), on_ipv4("h1", 0, 1, 2),
                                      on_ipv4("h1", 1, 0, 2)}),
            "h1: rail 0 has an address of rail 1; h1: rail 1 has an address of rail 0");
  EXPECT_EQ(crossed_rails(std::vector{on_infiniband("h0", 0, 1, 1), on_infiniband("h0", 1, 0, 1),
                                      on_infiniband("h1", 0, 0, 2), on_infiniband("h1", 1, 1, 2),
                                      on_infiniband("h2", 0, 0, 3), on_infiniband("h2", 1, 1, 3)}),
            "h0: rail 0 has an address of rail 1; h0: rail 1 has an address of rail 0");
}

TEST(CrossedRails, AreNoneWhereRailsAreStraightOrHaveNoSubnets) {
  EXPECT_EQ(crossed_rails(std::vector{on_ipv4("h0", 0, 0, 1), on_ipv4("h0", 1, 1, 1), on_ipv4("h1", 0, 0, 2),
                                      on_ipv4("h1", 1, 1, 2)}),
            "");
  EXPECT_EQ(
      crossed_rails(std::vector{on_ipv4("h0", 0, 0, 1), on_ipv4("h0", 1, 0, 2), on_ipv4("h1", 0, 0, 3)}), "");
  EXPECT_EQ(crossed_rails(std::vector{on_ipv4("h0", 0, 0, 1), on_ipv4("h1", 0, 7, 1)}), "") << "routed";
  EXPECT_EQ(crossed_rails(std::vector{on_ipv4("h0", -1, 0, 1), on_ipv4("h1", -1, 1, 1)}), "");
  EXPECT_EQ(crossed_rails({}), "");
}

}  // namespace
}  // namespace assay::rdma
