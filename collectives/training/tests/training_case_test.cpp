// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The case as every list shows it, and what it refuses.
#include "collectives/training/training_case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/training/matrix_products.hpp"
#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const core::Case& step_case() {
  static const core::Case one = training_case({.around = {.ranks = 4}});
  return one;
}

TEST(TrainingCase, DeclaresItsWork) {
  EXPECT_EQ(step_case().name, "collectives.training.step");
  const std::vector<core::Point> points = core::sweep(step_case().axes);
  ASSERT_EQ(points.size(), 2U) << "fp32 and bf16";
  for (const core::Point& point : points) {
    EXPECT_GT(step_case().work(point).flops, 0);
    EXPECT_EQ(step_case().work(point).bytes, 4.0 * static_cast<double>(parameter_elements({})));
  }
}

TEST(TrainingCase, RefusesAWidthThatHeadsDoNotDivide) {
  core::Point point = core::sweep(step_case().axes).front();
  point.set("hidden", std::int64_t{48});
  EXPECT_THAT([&] { step_case().work(point); },
              ThrowsMessage<core::Error>(HasSubstr("hidden=48: expected a multiple of 32")));
}

TEST(TrainingCase, IsImpossibleWhereARankWouldTakeTooMuch) {
  core::Point point = core::sweep(step_case().axes).front();
  point.set("hidden", std::int64_t{16384}).set("layers", std::int64_t{8});
  EXPECT_THAT(step_case().unsupported(point).value_or(""), HasSubstr("expected at most 16 GiB"));
}

}  // namespace
}  // namespace assay::collectives
