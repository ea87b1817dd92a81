// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/counter_deltas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::link {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t full_32 = 0xFFFFFFFF;

CounterDelta moved(CounterSource source, const std::string& name, std::uint64_t before, std::uint64_t after,
                   int port = 1) {
  const CounterName counter = {source, source >= CounterSource::netdev ? "eth4" : "", name};
  return counter_deltas({{"mlx5_0", port, {{counter, before}}}}, {{"mlx5_0", port, {{counter, after}}}})
      .at(0);
}

TEST(CounterDelta, IsTheDifference) {
  EXPECT_EQ(moved(CounterSource::hw, "out_of_sequence", 5, 17).moved, 12U);
  EXPECT_EQ(moved(CounterSource::port, "port_xmit_data", 5, 5).moved, 0U);
}

TEST(CounterDelta, OfA32BitCounterGoesOnAcrossItsWrap) {
  EXPECT_EQ(moved(CounterSource::hw, "out_of_sequence", full_32 - 3, 4).moved, 8U);
}

TEST(CounterDelta, OfA64BitCounterGoesOnAcrossItsWrap) {
  EXPECT_EQ(moved(CounterSource::port, "port_xmit_data", ~std::uint64_t{0}, 2).moved, 3U);
}

TEST(CounterDelta, BackwardsByLittleWasAReset) {
  const CounterDelta delta = moved(CounterSource::hw, "out_of_sequence", 1000, 3);
  EXPECT_FALSE(delta.moved);
  EXPECT_EQ(delta.why_unknown, "was reset in between (1000 to 3)");
  EXPECT_FALSE(
      moved(CounterSource::hw, "out_of_sequence", full_32 + 10, 3).moved);        // wider than it should be
  EXPECT_FALSE(moved(CounterSource::hw, "brand_new_counter", full_32, 3).moved);  // width not known
  EXPECT_FALSE(moved(CounterSource::port, "symbol_error", 65535, 3).moved);       // does not wrap
}

TEST(CounterDelta, IntoSaturationIsALowerBound) {
  const CounterDelta delta = moved(CounterSource::port, "link_downed", 250, 255);
  EXPECT_EQ(delta.moved, 5U);
  EXPECT_EQ(delta.outcome, core::CounterReport::Outcome::moved_at_least);
  EXPECT_EQ(describe(delta), "mlx5_0 link_downed +5 at least");
}

TEST(CounterDelta, OfACounterThatWasFullCannotBeTold) {
  for (const auto& [name, most] : {std::pair{"symbol_error", 65535U},
                                   {"link_downed", 255U},
                                   {"local_link_integrity_errors", 15U},
                                   {"port_xmit_wait", 4294967295U}}) {
    const CounterDelta delta = moved(CounterSource::port, name, most, most);
    EXPECT_FALSE(delta.moved) << name;
    EXPECT_THAT(delta.why_unknown, HasSubstr("was full from the start"));
  }
}

TEST(CounterDelta, OfACounterOrPortThatIsGoneCannotBeTold) {
  const CounterName name = {CounterSource::hw, "", "out_of_sequence"};
  const std::vector<PortCounters> before = {{"mlx5_0", 1, {{name, 5}}}};
  EXPECT_EQ(counter_deltas(before, {}).at(0).why_unknown, "could not be read again");
  EXPECT_EQ(counter_deltas(before, {{"mlx5_0", 1, {}}}).at(0).why_unknown, "could not be read again");
  EXPECT_EQ(counter_deltas(before, {{"mlx5_0", 2, {{name, 5}}}}).at(0).why_unknown,
            "could not be read again");
}

TEST(CounterDelta, APortWithoutCountersSaysSo) {
  const auto deltas = counter_deltas({{"mlx5_1", 1, {}}}, {{"mlx5_1", 1, {}}});
  ASSERT_EQ(deltas.size(), 1U);
  EXPECT_EQ(describe(deltas[0]), "mlx5_1 has no counter");
}

TEST(CounterDelta, NamesTheNetdevOrTheSecondPort) {
  EXPECT_EQ(describe(moved(CounterSource::ethtool, "rx_prio3_pause", 0, 5)), "eth4 rx_prio3_pause +5");
  EXPECT_EQ(describe(moved(CounterSource::hw, "out_of_sequence", 0, 5, 2)), "mlx5_0/2 out_of_sequence +5");
}

}  // namespace
}  // namespace assay::link
