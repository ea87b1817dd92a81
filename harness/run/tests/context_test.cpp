// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A record keeps the variables that matter, and no secret.
#include "harness/run/journal/context.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/tests/message_of.hpp"
#include "harness/run/journal/recorded_variables.hpp"
#include "results/record/secrets.hpp"

namespace assay::run {
namespace {

TEST(RecordedVariables, AreNoneThatMayHoldASecret) {
  for (const std::string_view name : recorded_variables())
    EXPECT_FALSE(results::is_name_of_secret(name)) << name;
}

TEST(RecordedVariables, AreKeptByTheirWholeName) {
  const char* environment[] = {"OMP_NUM_THREADS=2",
                               "ASSAY_TEAM_KEY=CANARY",
                               "NCCL_ALGO=Ring",
                               "NCCL_SECRET=CANARY",
                               "UCX_X_PASSWORD=CANARY",
                               "OMP_NUM_THREADS_=CANARY",
                               "NCCL=CANARY",
                               "HOME=CANARY",
                               "x",
                               nullptr};
  EXPECT_EQ(telling_environment(environment).dump(), R"({"NCCL_ALGO":"Ring","OMP_NUM_THREADS":"2"})");
}

TEST(Context, OfNoHostIsRefused) {
  EXPECT_EQ(core::tests::message_of([] { context_of("m", {}, {}, {}); }),
            "/proc/sys/kernel/hostname cannot be read: records without a host would be of no use");
}

TEST(Context, HoldsNoSecretOfItsCommandLine) {
  machine::Machine machine;
  machine.host = "h";
  const auto context = context_of("m", machine, {}, {"assay-m", "--plan", "X_TOKEN=CANARY"});
  EXPECT_EQ(context.command_line.back(), "X_TOKEN=" + std::string(results::secret_left_out));
}

}  // namespace
}  // namespace assay::run
