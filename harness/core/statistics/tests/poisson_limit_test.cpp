// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/poisson_limit.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::core {
namespace {

TEST(PoissonUpperLimit, IsThatOfTheTables) {  // half of chi-square quantiles
  EXPECT_NEAR(poisson_upper_limit(0), 2.995732274, 1e-9);
  EXPECT_NEAR(poisson_upper_limit(1), 4.743864518, 1e-9);
  EXPECT_NEAR(poisson_upper_limit(2), 6.295793622, 1e-9);
  EXPECT_NEAR(poisson_upper_limit(10), 16.96221923, 1e-7);
  EXPECT_NEAR(poisson_upper_limit(0, 0.99), 4.605170186, 1e-9);
  EXPECT_NEAR(poisson_upper_limit(1000) / 1053.6, 1, 1e-3);
}

TEST(PoissonUpperLimit, RefusesWhatIsNoCountAndNoConfidence) {
  EXPECT_THROW(poisson_upper_limit(-1), Error);
  EXPECT_THROW(poisson_upper_limit(0, 0), Error);
  EXPECT_THROW(poisson_upper_limit(0, 1), Error);
}

}  // namespace
}  // namespace assay::core
