// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/answers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "harness/core/error.hpp"

namespace assay::model::claims {
namespace {

using testing::HasSubstr;

TEST(Answers, EachCommandRunsOnceOnWhicheverThread) {
  std::atomic<int> runs{0};
  const Answers answers(
      {"one", "two", "one", "three"},
      [&](const std::string& command) {
        ++runs;
        return nlohmann::json(command + "!");
      },
      3);
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(answers.of("one"), "one!");
  EXPECT_EQ(answers.of("three"), "three!");
}

TEST(Answers, WhatACommandThrowsComesWithItsAnswer) {
  const Answers answers(
      {"good", "bad"},
      [](const std::string& command) {
        if (command == "bad") core::usage_error("it failed");
        return nlohmann::json(1);
      },
      1);
  EXPECT_EQ(answers.of("good"), 1);
  try {
    answers.of("bad");
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("it failed"));
  }
}

}  // namespace
}  // namespace assay::model::claims
