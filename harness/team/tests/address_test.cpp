// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/wire/address.hpp"

#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"

namespace assay::team {
namespace {

using core::tests::message_of;

std::string both(const std::string& text) {
  const Address address = address_from(text);
  return address.host + " " + std::to_string(address.port);
}

TEST(Address, IsAHostWithOrWithoutAPort) {
  EXPECT_EQ(both("h1"), "h1 18540");
  EXPECT_EQ(both("h1:18541"), "h1 18541");
  EXPECT_EQ(both("10.0.0.1:7"), "10.0.0.1 7");
  EXPECT_EQ(both("fe80::1%eth0"), "fe80::1%eth0 18540");
  EXPECT_EQ(both("[fe80::1%eth0]:18541"), "fe80::1%eth0 18541");
  EXPECT_EQ(both("[::1]"), "::1 18540");
}

TEST(Address, ThatMakesNoSenseIsOneLine) {
  EXPECT_EQ(message_of([] { address_from("h1:"); }),
            "address 'h1:': '' is not a port; a port is 1..65535, as in h1:18540");
  EXPECT_EQ(message_of([] { address_from("h1:70000"); }),
            "address 'h1:70000': '70000' is not a port; a port is 1..65535, as in h1:18540");
  EXPECT_EQ(message_of([] { address_from("h1:http"); }),
            "address 'h1:http': 'http' is not a port; a port is 1..65535, as in h1:18540");
  EXPECT_EQ(message_of([] { address_from(""); }),
            "address '' names no host; expected HOST or HOST:PORT, as in h1:18540");
  EXPECT_EQ(message_of([] { address_from("[::1"); }), "address '[::1': expected [ADDRESS] or [ADDRESS]:PORT");
  EXPECT_EQ(message_of([] { address_from("[::1]18540"); }),
            "address '[::1]18540': expected [ADDRESS] or [ADDRESS]:PORT");
}

TEST(Address, OfLoopbackResolves) {
  const auto found = resolve({"127.0.0.1", 18540});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].family(), AF_INET);
  EXPECT_EQ(local_addresses("lo", 0).front().family(), AF_INET);
}

}  // namespace
}  // namespace assay::team
