// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/number_formats.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace assay::core {
namespace {

TEST(Bf16, RoundsToNearestEven) {
  EXPECT_EQ(to_bf16(1.0F), 0x3f80);
  EXPECT_EQ(to_bf16(-2.0F), 0xc000);
  EXPECT_EQ(to_bf16(1.00390625F), 0x3f80);  // halfway to the next: the even one below
  EXPECT_EQ(to_bf16(1.01171875F), 0x3f82);  // halfway: the even one above
  EXPECT_TRUE(std::isnan(from_bf16(to_bf16(std::numeric_limits<float>::quiet_NaN()))));
  EXPECT_EQ(from_bf16(0x4049), 3.140625F);
}

TEST(Fp16, KnowsItsLandmarks) {
  EXPECT_EQ(to_fp16(1.0F), 0x3c00);
  EXPECT_EQ(to_fp16(65504.0F), 0x7bff);
  EXPECT_EQ(to_fp16(65520.0F), 0x7c00);  // rounds to infinity
  EXPECT_EQ(to_fp16(0x1p-24F), 0x0001);  // smallest subnormal
  EXPECT_EQ(to_fp16(0x1p-25F), 0x0000);  // half of it: to even
  EXPECT_EQ(to_fp16(0x1.8p-24F), 0x0002);
  EXPECT_EQ(to_fp16(-0.0F), 0x8000);
  EXPECT_EQ(from_fp16(0x7bff), 65504.0F);
  EXPECT_TRUE(std::isinf(from_fp16(0x7c00)));
  EXPECT_TRUE(std::isnan(from_fp16(0x7e00)));
}

TEST(E4m3, SaturatesAt448AndHasNoInfinity) {
  EXPECT_EQ(to_e4m3(448.0F), 0x7e);
  EXPECT_EQ(to_e4m3(1e6F), 0x7e);
  EXPECT_EQ(to_e4m3(-std::numeric_limits<float>::infinity()), 0xfe);
  EXPECT_EQ(to_e4m3(1.0F), 0x38);
  EXPECT_EQ(to_e4m3(0x1p-9F), 0x01);
  EXPECT_EQ(to_e4m3(0x1p-10F), 0x00);
  EXPECT_TRUE(std::isnan(from_e4m3(0x7f)));
}

TEST(NarrowFormats, EveryFiniteCodeSurvivesTheRoundTrip) {
  for (unsigned bits = 0; bits < 0x100; ++bits)
    if ((bits & 0x7fU) != 0x7fU) {
      EXPECT_EQ(to_e4m3(from_e4m3(static_cast<std::uint8_t>(bits))), bits);
    }
  for (unsigned bits = 0; bits < 0x10000; ++bits)
    if ((bits & 0x7c00U) != 0x7c00U) {
      EXPECT_EQ(to_fp16(from_fp16(static_cast<std::uint16_t>(bits))), bits);
    }
}

TEST(NarrowFormats, RoundingNeverMissesTheNearestCode) {
  for (unsigned code = 0; code < 0x7eU; ++code) {
    const float below = from_e4m3(static_cast<std::uint8_t>(code));
    const float above = from_e4m3(static_cast<std::uint8_t>(code + 1));
    const float middle = (below + above) / 2;
    EXPECT_EQ(to_e4m3(std::nextafter(middle, 0.0F)), code);
    EXPECT_EQ(to_e4m3(std::nextafter(middle, 1e9F)), code + 1);
    EXPECT_EQ(to_e4m3(middle), code % 2 == 0 ? code : code + 1);
  }
}

TEST(Tf32, KeepsTenBits) {
  EXPECT_EQ(to_tf32(1.0F + 0x1p-10F), 1.0F + 0x1p-10F);
  EXPECT_EQ(to_tf32(1.0F + 0x1p-11F), 1.0F);
  EXPECT_EQ(to_tf32(1.0F + 0x1.8p-10F), 1.0F + 0x1p-9F);
}

TEST(E5m2, IsTheUpperHalfOfFp16AndSaturates) {
  EXPECT_EQ(to_e5m2(1.0F), 0x3c);
  EXPECT_EQ(to_e5m2(57344.0F), 0x7b);
  EXPECT_EQ(to_e5m2(1e6F), 0x7b);
  EXPECT_EQ(to_e5m2(-std::numeric_limits<float>::infinity()), 0xfb);
  EXPECT_EQ(to_e5m2(1.125F), 0x3c);  // halfway: the even one below
  EXPECT_EQ(to_e5m2(0x1p-16F), 0x01);
  EXPECT_TRUE(std::isnan(from_e5m2(0xff)));
  for (unsigned bits = 0; bits < 0x7c; ++bits)
    EXPECT_EQ(to_e5m2(from_e5m2(static_cast<std::uint8_t>(bits))), bits);
}

}  // namespace
}  // namespace assay::core
