// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The built-in plan calibration gives every group of products the shapes that a fit of it wants.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/plan/plan.hpp"
#include "model/fit/laws/gemm_fit.hpp"

namespace assay::suite {
namespace {

/// Values of these axes together: the shapes of one dtype and layout.
std::size_t shapes_of(const plan::Sweep& sweep, std::initializer_list<const char*> sizes) {
  std::size_t shapes = 1;
  for (const auto& [axis, values] : sweep.axes)
    if (std::ranges::count(sizes, axis) > 0) shapes *= values.size();
  return shapes;
}

bool names(const plan::Sweep& sweep, const std::string& ending) {
  return std::ranges::any_of(sweep.cases, [&](const std::string& glob) { return glob.ends_with(ending); });
}

TEST(CalibrationPlan, HasTheShapesThatAFitWantsAndNotManyMore) {
  std::size_t products = 0, attention = 0;
  for (const plan::Sweep& sweep : plan::read_plan("calibration").sweeps) {
    if (names(sweep, ".matmul")) {
      const std::size_t shapes = shapes_of(sweep, {"m", "n", "k"});
      EXPECT_GE(shapes, model::fit::fewest_shapes_of_surface) << sweep.where;
      EXPECT_LE(shapes, 2 * model::fit::fewest_shapes_of_surface) << sweep.where;
      ++products;
    }
    if (names(sweep, ".attention")) {
      EXPECT_GE(shapes_of(sweep, {"batch", "seq", "head"}), model::fit::fewest_gemm_shapes) << sweep.where;
      ++attention;
    }
  }
  EXPECT_EQ(products, 3U);
  EXPECT_EQ(attention, 2U);
}

}  // namespace
}  // namespace assay::suite
