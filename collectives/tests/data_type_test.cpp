// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/data_type.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
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
  EXPECT_EQ(reduced(DataType::float64, Operator::sum, a, b), (Two{8, 2}));
  EXPECT_EQ(reduced(DataType::float64, Operator::prod, a, b), (Two{15, -8}));
  EXPECT_EQ(reduced(DataType::float64, Operator::min, a, b), (Two{3, -2}));
  EXPECT_EQ(reduced(DataType::float64, Operator::max, a, b), (Two{5, 4}));
}

TEST(ReduceInto, LetsIntegersWrapAround) {
  using Two = std::array<std::int32_t, 2>;
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(reduced(DataType::int32, Operator::sum, Two{most, 1}, Two{1, 1}),
            (Two{std::numeric_limits<std::int32_t>::min(), 2}));
}

TEST(DataType, KnowsItsSizeAndName) {
  EXPECT_EQ(bytes_of(DataType::int32), 4);
  EXPECT_EQ(bytes_of(DataType::int64), 8);
  EXPECT_EQ(bytes_of(DataType::float32), 4);
  EXPECT_EQ(bytes_of(DataType::float64), 8);
  for (const DataType type : data_types()) EXPECT_EQ(data_type_from(to_text(type)), type);
  for (const Operator reduction : operators()) EXPECT_EQ(operator_from(to_text(reduction)), reduction);
}

TEST(DataType, OfAnUnknownNameSaysWhichThereAre) {
  try {
    data_type_from("f32");
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "data type 'f32': expected int32, int64, float32, float64");
  }
  try {
    operator_from("avg");
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "operator 'avg': expected sum, prod, min, max");
  }
}

}  // namespace
}  // namespace assay::collectives
