// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/communicator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/nccl/tests/fake_ranks.hpp"
#include "harness/core/error.hpp"
#include "harness/core/tests/eventually.hpp"
#include "harness/cuda/device.hpp"

namespace assay::collectives {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class CommunicatorTest : public testing::Test {
 protected:
  void SetUp() override { reset_fake(); }
  const nccl::Calls calls = fake_calls();
};

std::string failure_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::nccl);
    return error.what();
  }
  return "went well";
}

TEST_F(CommunicatorTest, IsSplitIntoThoseWhoAreMembersInTheOrderOfTheirKeys) {
  const ncclUniqueId id = new_id(calls);
  on_threads(5, [&](int rank) {
    Communicator all(calls, 5, rank, id, {});
    const bool member = rank % 2 == 0;  // 0, 2, 4, turned round
    const auto part = all.split(member, 10 - rank);
    EXPECT_EQ(part != nullptr, member);
  });
}

TEST_F(CommunicatorTest, IsDestroyedAfterWhatWasSplitFromIt) {
  on_communicators(calls, 1, [](int, Communicator&) {});
  EXPECT_THAT(fake().calls, ElementsAre("get_unique_id", "comm_init", "comm_split", "comm_destroy child",
                                        "comm_destroy parent"));
}

TEST_F(CommunicatorTest, ThatIsNeverReadyIsGivenUpAtItsLimitAndAborted) {
  fake().never_ready = true;
  const ncclUniqueId id = new_id(calls);
  EXPECT_THROW(Communicator(calls, 1, 0, id, {.limit_s = 0.02}), core::TimedOut);
  EXPECT_EQ(fake().count("comm_abort parent"), 1);
  EXPECT_EQ(fake().count("comm_destroy parent"), 0);
}

TEST_F(CommunicatorTest, ThatIsNeverReadyIsGivenUpWhenToldTo) {
  fake().never_ready = true;
  const std::atomic<bool> given_up{true};
  EXPECT_THAT(failure_of([&] { Communicator(calls, 1, 0, new_id(calls), {.given_up = &given_up}); }),
              StartsWith("make a communicator: given up after "));
  EXPECT_EQ(fake().count("comm_abort parent"), 1);
}

TEST_F(CommunicatorTest, ThatCannotBeMadeSaysWhyInNcclsWords) {
  fake().failing["comm_init"] = ncclInvalidUsage;
  fake().last_error = "Duplicate GPU detected";
  EXPECT_EQ(failure_of([&] { Communicator(calls, 1, 0, new_id(calls), {}); }),
            "make a communicator: invalid usage (Duplicate GPU detected)");
}

TEST_F(CommunicatorTest, KeepsWhereNcclMayWriteWhenASplitIsGivenUp) {
  Communicator all(calls, 1, 0, new_id(calls), {});
  all.set_patience({.limit_s = 0.02});
  fake().never_ready = true;
  EXPECT_THROW(all.split(true, 0), core::TimedOut);
}

TEST_F(CommunicatorTest, AbortsAnOperationThatNeverEnds) {
  on_communicators(calls, 1, [&](int, Communicator& communicator) {
    communicator.set_patience({.limit_s = 0.02});
    EXPECT_THAT(failure_of([&] { communicator.wait_until([] { return false; }, "ncclAllReduce"); }),
                StartsWith("ncclAllReduce: no end within "));
    EXPECT_TRUE(communicator.is_broken());
  });
  EXPECT_EQ(fake().count("comm_abort child"), 1);
}

TEST_F(CommunicatorTest, NoticesWhileItWaitsThatNcclFailed) {
  on_communicators(calls, 1, [&](int, Communicator& communicator) {
    fake().async_error = ncclRemoteError;
    EXPECT_THAT(failure_of([&] { communicator.wait_until([] { return false; }, "ncclAllReduce"); }),
                HasSubstr("ncclAllReduce: unhandled failure (the fake's own words)"));
  });
  EXPECT_EQ(fake().count("comm_abort child"), 1);
}

TEST_F(CommunicatorTest, OfTheNodesNcclWithoutAGpuEndsInItsOwnWords) {
  if (const auto why = nccl::Library::unavailable()) GTEST_SKIP() << *why;
  if (!cuda::device_unavailable()) GTEST_SKIP() << "this host has a GPU";
  const nccl::Calls& nccl = nccl::Library::library().calls();
  EXPECT_THAT(failure_of([&] { Communicator(nccl, 1, 0, new_id(nccl), {.limit_s = 20}); }),
              StartsWith("make a communicator: unhandled cuda error"));
}

TEST_F(CommunicatorTest, WaitsForALateRank) {
  const ncclUniqueId id = new_id(calls);
  on_threads(2, [&](int rank) {
    if (rank == 1) {
      EXPECT_TRUE(core::tests::eventually([] { return fake().count("comm_init") == 1; }));
    }
    EXPECT_NO_THROW(Communicator(calls, 2, rank, id, {.limit_s = 10}));
  });
}

}  // namespace
}  // namespace assay::collectives
