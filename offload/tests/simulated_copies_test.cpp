// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies both ways at once, on GPUs of threads: what is copied, that each way is timed behind a gate, and
// what cannot be done.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/tests/simulated/two_gpus.hpp"
#include "harness/cuda/timing/event_timer.hpp"
#include "offload/copy/host_copy.hpp"
#include "offload/copy/peer_exchange.hpp"

namespace assay::offload {
namespace {

using core::tests::message_of;
using enum core::Verification::Result;
using cuda::simulated::gpu;

class CopiesOnThreads : public cuda::simulated::TwoGpus {
 protected:
  const cuda::Stream main = cuda::make_stream();
};

constexpr CopyWay host_ways{.direction = CopyDirection::both, .bytes = 65536, .blocks = 1};

TEST_F(CopiesOnThreads, WithTheHostAreTimedApartBehindAGate) {
  HostCopy copy(host_ways, main.get());
  const int gates = gpu().grids_of_one_thread;
  const TwoStreams::Seconds each = copy.time_each();
  EXPECT_EQ(gpu().grids_of_one_thread, gates + 1);
  EXPECT_GT(each.first_s, 0);
  EXPECT_GT(each.second_s, 0);
  EXPECT_EQ(copy.verify().result, right);
}

TEST_F(CopiesOnThreads, WithTheHostAreJoinedOnTheStreamThatIsTimed) {
  HostCopy copy(host_ways, main.get());
  EXPECT_EQ(copy.verify().result, wrong) << "nothing was copied";
  copy.enqueue();
  EXPECT_EQ(copy.verify().result, right);
}

TEST_F(CopiesOnThreads, WithAPeerGoBothWays) {
  for (const CopyBy by : {CopyBy::engine, CopyBy::sm})
    for (const CopyOn on : {CopyOn::source, CopyOn::target}) {
      const cuda::DeviceGuard guard(on == CopyOn::source ? 0 : 1);
      PeerExchange copies({.by = by, .on = on, .bytes = 65536, .blocks = 1, .both = true}, main.get());
      EXPECT_EQ(copies.verify().result, wrong) << "nothing was copied";
      copies.enqueue();
      cuda::wait_for(main.get(), "copy", std::chrono::seconds(10));
      EXPECT_EQ(copies.verify().result, right);
      std::vector<core::Metric> metrics;
      add_rates_apart(metrics, {"there_gb_per_s", "back_gb_per_s"}, 65536,
                      [&] { return copies.time_each(); });
      ASSERT_EQ(metrics.size(), 2U);
      EXPECT_GT(metrics[1].value, 0);
    }
}

TEST_F(CopiesOnThreads, OneWayLeaveTheOtherAlone) {
  PeerExchange copies({.bytes = 65536, .blocks = 1}, main.get());
  EXPECT_EQ(copies.launches(), 1);
  copies.enqueue();
  cuda::wait_for(main.get(), "copy", std::chrono::seconds(10));
  EXPECT_EQ(copies.verify().result, right);
}

TEST_F(CopiesOnThreads, BothWaysNeedGpusThatReachEachOther) {
  gpu().devices_reach_each_other = false;
  EXPECT_EQ(
      message_of([&] { PeerExchange({.bytes = 65536, .both = true}, main.get()); }),
      "GPUs 0 and 1 do not reach each other's memory: copies through the host's wait in their call, one way "
      "after the other");
  EXPECT_EQ(message_of([&] { PeerExchange({.by = CopyBy::sm, .bytes = 65536}, main.get()); }),
            "GPU 0 does not reach the memory of GPU 1: no kernel can copy (by=engine goes through the host)");
  EXPECT_FALSE(PeerExchange({.bytes = 65536}, main.get()).is_direct());
}

TEST_F(CopiesOnThreads, MorePageLockedMemoryThanTheDriverGivesIsOneLine) {
  gpu().page_locking_fails = true;
  for (const MemoryKind kind : {MemoryKind::pinned, MemoryKind::write_combined, MemoryKind::registered})
    EXPECT_THAT(message_of([&] { HostMemory(kind, 65536, -1); }),
                testing::StartsWith("page-lock 65536 bytes: "));
  gpu().page_locking_fails = false;
}

// Last: a process has one context to lose.
TEST_F(CopiesOnThreads, AGpuLostInTheMiddleIsToldAndNothingHangs) {
  HostCopy copy(host_ways, main.get());
  copy.enqueue();
  cuda::simulated::lose_gpu();
  EXPECT_THAT(message_of([&] { copy.time_each(); }), testing::HasSubstr("unspecified launch failure"));
  EXPECT_TRUE(cuda::context_is_lost());
}

}  // namespace
}  // namespace assay::offload
