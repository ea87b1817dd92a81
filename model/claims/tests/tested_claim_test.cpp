// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/tested_claim.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"

namespace assay::model::claims {
namespace {

using testing::HasSubstr;

Claim claim_of(const std::string& command, const std::string& against = "") {
  return {.id = "one",
          .of = {},
          .source = {},
          .says = {},
          .printed = {},
          .quantity =
              {.command = command, .value = "/x/0", .against = against, .against_value = "/y", .unit = {}},
          .expected = {.least = 2, .most = 4},
          .evidence = {}};
}

TestedClaim tested(const Claim& claim) {
  return test_claims(std::span(&claim, 1),
                     [](const std::string& command) {
                       if (command == "fails") core::usage_error("it failed");
                       return nlohmann::json{{"x", {command == "far" ? 9 : 3}}, {"y", 1.5}};
                     })
      .front();
}

TEST(TestedClaim, AValueWithinBoundsAgrees) {
  const Claim near = claim_of("near"), far = claim_of("far"), ratio = claim_of("near", "other");
  EXPECT_EQ(tested(near).verdict(), "agrees");
  EXPECT_TRUE(tested(near).holds());
  EXPECT_EQ(tested(far).verdict(), "not as expected");
  EXPECT_FALSE(tested(far).holds());
  EXPECT_EQ(tested(ratio).value, 2);
}

TEST(TestedClaim, APrintedFigureIsHeldAgainstTheValue) {
  Claim claim = claim_of("near");
  claim.printed = 3.01;
  EXPECT_EQ(tested(claim).verdict(), "agrees");
  claim.printed = 4;
  EXPECT_EQ(tested(claim).verdict(), "disagrees, by 25 %");
  claim.printed = 3.2;
  EXPECT_EQ(tested(claim).verdict(), "within 6.3 %");
}

TEST(TestedClaim, WhatGivesNoNumberIsNotTested) {
  const Claim fails = claim_of("fails");
  EXPECT_FALSE(tested(fails).holds());
  EXPECT_EQ(tested(fails).verdict(), "not tested: it failed");
  Claim elsewhere = claim_of("near");
  elsewhere.quantity.value = "/z";
  EXPECT_THAT(tested(elsewhere).verdict(), HasSubstr("assay near: no number at /z"));
}

TEST(TestedClaim, ACommandRunsOnce) {
  const std::vector<Claim> claims = {claim_of("near"), claim_of("near", "near")};
  int runs = 0;
  test_claims(claims, [&](const std::string&) {
    ++runs;
    return nlohmann::json{{"x", {3}}, {"y", 1}};
  });
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace assay::model::claims
