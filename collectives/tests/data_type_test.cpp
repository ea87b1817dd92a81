// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/data_type.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

template <class T>
std::array<T, 2> reduced(DataType type, Operator reduction, std::array<T, 2> into, std::array<T, 2> from) {
  reduce_into(type, reduction, reinterpret_cast<std::byte*>(into.data()),
              reinterpret_cast<const std::byte*>(from.data()), 2);
  return into;
}

TEST(ReduceInto, AppliesEachOperator) {
  using Two = std::array<double, 2>;
  const Two a{3, -2}, b{5, 4};
  EXPECT_EQ(reduced(DataType::fp64, Operator::sum, a, b), (Two{8, 2}));
  EXPECT_EQ(reduced(DataType::fp64, Operator::prod, a, b), (Two{15, -8}));
  EXPECT_EQ(reduced(DataType::fp64, Operator::min, a, b), (Two{3, -2}));
  EXPECT_EQ(reduced(DataType::fp64, Operator::max, a, b), (Two{5, 4}));
}

TEST(Average, DividesSumsAndRoundsThem) {
  std::array<std::int32_t, 2> whole{7, -7};
  average(DataType::int32, 3, reinterpret_cast<std::byte*>(whole.data()), 2);
  EXPECT_EQ(whole, (std::array<std::int32_t, 2>{2, -2}));
  std::array<core::E4m3, 2> narrow{core::E4m3(10), core::E4m3(8)};
  average(DataType::fp8_e4m3, 3, reinterpret_cast<std::byte*>(narrow.data()), 2);
  EXPECT_EQ(static_cast<float>(narrow[0]), 3.25F) << "3.33 is between 3.25 and 3.5";
  EXPECT_EQ(static_cast<float>(narrow[1]), 2.75F) << "2.67 is between 2.5 and 2.75";
}

TEST(ReduceInto, LetsIntegersWrapAround) {
  using Two = std::array<std::int32_t, 2>;
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(reduced(DataType::int32, Operator::sum, Two{most, 1}, Two{1, 1}),
            (Two{std::numeric_limits<std::int32_t>::min(), 2}));
}

TEST(ReduceInto, RoundsANarrowSumToTheNearestEven) {
  const std::array<core::Bf16, 2> a{core::Bf16(256), core::Bf16(3)}, b{core::Bf16(1), core::Bf16(-5)};
  const auto sum = reduced(DataType::bf16, Operator::sum, a, b);
  EXPECT_EQ(static_cast<float>(sum[0]), 256) << "257 is halfway between 256 and 258";
  EXPECT_EQ(static_cast<float>(sum[1]), -2);
  const std::array<core::Fp16, 2> c{core::Fp16(300), core::Fp16(2)}, d{core::Fp16(300), core::Fp16(7)};
  const auto product = reduced(DataType::fp16, Operator::prod, c, d);
  EXPECT_TRUE(std::isinf(static_cast<float>(product[0])));
  EXPECT_EQ(static_cast<float>(product[1]), 14);
}

TEST(DataType, KnowsItsSizeAndName) {
  EXPECT_EQ(bytes_of(DataType::bf16), 2);
  EXPECT_EQ(bytes_of(DataType::fp8_e5m2), 1);
  EXPECT_EQ(bytes_of(DataType::int32), 4);
  EXPECT_EQ(bytes_of(DataType::int64), 8);
  EXPECT_EQ(bytes_of(DataType::fp32), 4);
  EXPECT_EQ(bytes_of(DataType::fp64), 8);
  for (const DataType type : data_types()) EXPECT_EQ(data_type_from(to_text(type)), type);
  for (const Operator reduction : operators()) EXPECT_EQ(operator_from(to_text(reduction)), reduction);
}

TEST(DataType, OfAnUnknownNameSaysWhichThereAre) {
  try {
    data_type_from("f32");
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(),
                 "data type 'f32': expected fp32, fp64, bf16, fp16, fp8_e4m3, fp8_e5m2, int8, int32, int64");
  }
  try {
    operator_from("mean");
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "operator 'mean': expected sum, prod, min, max, avg");
  }
}

}  // namespace
}  // namespace assay::collectives
