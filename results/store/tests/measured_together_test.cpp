// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/measured_together.hpp"

#include <gtest/gtest.h>

#include "results/tests/sample_records.hpp"

namespace assay::results::test {
namespace {

TEST(RoundsTogether, AreKnownByTheEnvironmentAndElseByTheRunsName) {
  ContextRecord context = sample_context("b-r0002-together-rdma.rank3");
  EXPECT_TRUE(measured_together(context));
  context.environment["ASSAY_BURN_IN"] = "b round 1 turn";
  EXPECT_FALSE(measured_together(context));
  context = sample_context("b-r0003-turn");
  EXPECT_FALSE(measured_together(context));
  context.environment["ASSAY_BURN_IN"] = "b round 12 together";
  EXPECT_TRUE(measured_together(context));
}

TEST(RoundsTogether, AnEnvironmentThatSaysNothingReadableIsNoFailure) {
  ContextRecord context = sample_context("night");
  context.environment["ASSAY_BURN_IN"] = 7;
  EXPECT_FALSE(measured_together(context));
  context.environment = nlohmann::ordered_json::array();
  EXPECT_FALSE(measured_together(context));
}

}  // namespace
}  // namespace assay::results::test
