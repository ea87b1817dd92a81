// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/pace.hpp"

#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"

namespace assay::offload {
namespace {

TEST(Pace, DeliversEachPieceWhenALinkOfThatRateWould) {
  Pace pace(2);  // 0.5 ns a byte
  pace.resume(10);
  EXPECT_DOUBLE_EQ(pace.claim_s(2'000'000'000), 11);
  EXPECT_DOUBLE_EQ(pace.claim_s(4'000'000'000), 13);
}

TEST(Pace, LetsALateMoverCatchUp) {
  Pace pace(1);
  pace.resume(0);
  EXPECT_DOUBLE_EQ(pace.claim_s(1'000'000'000), 1);
  // Moved at 5 only: the next piece was due at 2 all the same.
  EXPECT_DOUBLE_EQ(pace.claim_s(1'000'000'000), 2);
}

TEST(Pace, SavesNothingUpWhileIdle) {
  Pace pace(1);
  pace.resume(0);
  pace.claim_s(1'000'000'000);
  pace.resume(7);
  EXPECT_DOUBLE_EQ(pace.claim_s(1'000'000'000), 8);
}

TEST(Pace, IsNotSetBackByALinkThatIsStillBusy) {
  Pace pace(1);
  pace.resume(0);
  pace.claim_s(3'000'000'000);
  pace.resume(1);
  EXPECT_DOUBLE_EQ(pace.claim_s(1'000'000'000), 4);
}

TEST(Pace, UnlimitedIsDueAtOnce) {
  Pace pace(parse_cap("unlimited"));
  pace.resume(3);
  EXPECT_DOUBLE_EQ(pace.claim_s(1'000'000'000), 3);
}

TEST(Cap, IsUnlimitedOrARateAboveZero) {
  EXPECT_DOUBLE_EQ(parse_cap("2.5"), 2.5);
  for (const char* bad : {"0", "-5", "0.0", "nan", "inf", "", "5GB", "fast"})
    EXPECT_EQ(core::tests::message_of([&] { parse_cap(bad); }),
              std::string("cap_gb_per_s=") + bad + ": expected unlimited, or GB/s above 0");
}

TEST(Cap, IsNotSoLowThatAStepTakesHours) {
  EXPECT_DOUBLE_EQ(parse_cap("0.001"), 0.001);
  EXPECT_EQ(core::tests::message_of([] { parse_cap("1e-9"); }),
            "cap_gb_per_s=1e-9: expected unlimited, or 0.001 and more: copies would take hours");
}

}  // namespace
}  // namespace assay::offload
