// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Runtimes of containers, with programs in their place that end as they do.
#include "harness/front/cli/tasks/started_container.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::cli {
namespace {

constexpr double container_limit_s = 30;

TEST(Container, ThatStartsAndEndsIsGood) {
  const health::ServiceAnswer answer =
      start_container({"sh", "-c", "echo pulled; exit 0"}, container_limit_s);
  EXPECT_TRUE(answer.good);
  EXPECT_EQ(answer.of, "sh");
  EXPECT_THAT(answer.evidence, testing::StartsWith("started and ended in "));
}

TEST(Container, ThatDoesNotStartSaysWhy) {
  const health::ServiceAnswer answer = start_container(
      {"/bin/sh", "-c", "echo trying >&2; echo 'manifest unknown' >&2; exit 125"}, container_limit_s);
  EXPECT_FALSE(answer.good);
  EXPECT_EQ(answer.evidence, "ended with exit code 125: manifest unknown");
}

TEST(Container, ThatHangsIsEndedAtTheDeadline) {
  const health::ServiceAnswer answer = start_container({"tail", "-f", "/dev/null"}, 0.2);
  EXPECT_FALSE(answer.good);
  EXPECT_EQ(answer.evidence, "it did not end within 0.2 s");
}

TEST(Container, WithoutItsRuntimeIsNotStarted) {
  EXPECT_EQ(start_container({"no-such-runtime", "run"}, container_limit_s).evidence, "not in PATH");
  EXPECT_FALSE(start_container({"/no/such/runtime"}, container_limit_s).good);
}

TEST(Container, IsStartedWhereAJobNeedsOne) {
  EXPECT_TRUE(ask_on_this_machine({}).containers.empty());
  health::JobNeeds needs;
  needs.container = {"true"};
  const health::JobAnswers answers = ask_on_this_machine(needs);
  ASSERT_EQ(answers.containers.size(), 1U);
  EXPECT_TRUE(answers.containers.front().good) << answers.containers.front().evidence;
}

}  // namespace
}  // namespace assay::cli
