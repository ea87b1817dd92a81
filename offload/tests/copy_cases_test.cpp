// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/tests/message_of.hpp"
#include "harness/cuda/device.hpp"
#include "offload/copy/copy_point.hpp"
#include "offload/copy/host_memory.hpp"
#include "offload/copy/node_metrics.hpp"
#include "offload/point_axes.hpp"
#include "offload/tests/case_lists.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;
using core::tests::message_of;
using testing::Optional;

core::Case copy() { return copy_cases({}).front(); }

Point point(const char* direction, const char* by, const char* memory) {
  return {{"gpu", Value(std::int64_t{0})},
          {"numa", Value(std::int64_t{-1})},
          {"bytes", Value(std::int64_t{65536})},
          {"direction", Value(direction)},
          {"by", Value(by)},
          {"memory", Value(memory)},
          {"blocks", Value(std::int64_t{4})}};
}

TEST(CopyCases, SweepEveryNodeThatHasMemoryAndProcessors) {
  machine::Machine machine;
  machine.numa.resize(3);
  for (int id = 0; id < 3; ++id) machine.numa[static_cast<std::size_t>(id)].id = id;
  machine.numa[0].bytes = machine.numa[1].bytes = machine.numa[2].bytes = 1;
  machine.numa[0].cpus = {0};
  machine.numa[1].cpus = {1};
  const core::Case benchmark = copy_cases({.machine = machine}).front();
  const auto numa = std::ranges::find(benchmark.axes, "numa", &core::Axis::name);
  ASSERT_NE(numa, benchmark.axes.end());
  EXPECT_EQ(numa->values, (std::vector<Value>{std::int64_t{0}, std::int64_t{1}}));
}

TEST(CopyCases, CountBothWaysOfACopyBothWays) {
  EXPECT_EQ(copy().work(point("h2d", "engine", "pinned")).bytes, 65536);
  EXPECT_EQ(copy().work(point("both", "engine", "pinned")).bytes, 131072);
}

TEST(CopyCases, SayWhatPageableMemoryCannotDo) {
  EXPECT_THAT(copy().unsupported(point("h2d", "sm", "pageable")),
              Optional(testing::HasSubstr("no kernel addresses it")));
  EXPECT_THAT(copy().unsupported(point("both", "engine", "pageable")),
              Optional(testing::HasSubstr("one way after the other")));
}

TEST(CopyCases, SayInTheDriversWordsWhyTheyCannotRun) {
  if (!cuda::device_unavailable()) GTEST_SKIP() << "this machine has a GPU: the refusal cannot be seen here";
  EXPECT_EQ(copy().unsupported(point("h2d", "engine", "pinned")), cuda::device_unavailable());
}

TEST(CopyCases, OfOddBytesBlocksOrMemoryAreRefused) {
  Point odd = point("h2d", "engine", "pinned");
  odd.set("bytes", Value(std::int64_t{100}));
  EXPECT_EQ(message_of([&] { copy().work(odd); }), "bytes=100: expected a multiple of 16");
  odd.set("bytes", Value(std::int64_t{0}));
  EXPECT_EQ(message_of([&] { copy().work(odd); }), "bytes=0: expected 16 to 1125899906842624");
  odd = point("h2d", "sm", "pinned");
  odd.set("blocks", Value(std::int64_t{0}));
  EXPECT_EQ(message_of([&] { copy().work(odd); }), "blocks=0: expected 1 to 4096");
  EXPECT_EQ(message_of([] { memory_kind_from("paged"); }),
            "memory=paged: expected one of pinned, write_combined, registered, huge, pageable");
}

Point peers(std::int64_t from, std::int64_t to) {
  return {{"from", Value(from)},
          {"to", Value(to)},
          {"bytes", Value(std::int64_t{65536})},
          {"by", Value("engine")},
          {"on", Value("target")},
          {"ways", Value("one")},
          {"blocks", Value(std::int64_t{4})}};
}

Point all_at_once(std::int64_t gpus) {
  Point together = point("both", "engine", "pinned");
  return together.set("gpus", Value(gpus));
}

TEST(PeerCopies, RunOnTheirSourceOrTheirTarget) {
  PeerWay way = peer_way(peers(2, 5));
  EXPECT_EQ(way.runs_on(), 5);
  EXPECT_EQ(way.other(), 2);
  way.on = CopyOn::source;
  EXPECT_EQ(way.runs_on(), 2);
  EXPECT_EQ(way.other(), 5);
}

TEST(PeerCopies, BothWaysCopyTheSameBackOnTheirOwnSourceOrTarget) {
  Point both = peers(2, 5);
  both.set("ways", Value("both"));
  const PeerWay way = peer_way(both);
  EXPECT_TRUE(way.both);
  EXPECT_EQ(way.back().from, 5);
  EXPECT_EQ(way.back().to, 2);
  EXPECT_EQ(way.back().runs_on(), 2) << "its target";
  EXPECT_FALSE(peer_way(peers(2, 5)).both);
  const core::Case peer = peer_copy_cases({}).front();
  EXPECT_EQ(peer.work(peers(2, 5)).bytes, 65536);
  EXPECT_EQ(peer.work(both).bytes, 2 * 65536);
  EXPECT_EQ(peer.work(both).bytes_counted, "copied, both ways together");
}

TEST(PeerCopies, SayWhyTwoGpusAreNone) {
  EXPECT_EQ(not_two_gpus({.from = 0, .to = 1}, 1),
            "a copy to a peer needs two GPUs, and this process sees 1");
  EXPECT_EQ(not_two_gpus({.from = 0, .to = 8}, 8), "from=0, to=8: this process sees 8 GPUs, the first is 0");
  EXPECT_EQ(peer_copy_cases({}).front().unsupported(peers(3, 3)),
            "from=3, to=3: a GPU is not a peer of itself")
      << "with and without a GPU";
  EXPECT_EQ(not_two_gpus({.from = 0, .to = 7}, 8), std::nullopt);
}

TEST(PeerCopies, RefuseBadPointsWithAndWithoutAGpu) {
  const core::Case peer = peer_copy_cases({}).front();
  EXPECT_EQ(message_of([&] { peer.unsupported(peers(-1, 0)); }), "from=-1: expected 0 to 1024");
  Point odd = peers(0, 1);
  odd.set("bytes", Value(std::int64_t{24}));
  EXPECT_EQ(message_of([&] { peer.unsupported(odd); }), "bytes=24: expected a multiple of 16");
}

TEST(NodeCopies, CountWhatAllGpusCopy) {
  const core::Case node = node_copy_cases({}).front();
  EXPECT_EQ(node.work(all_at_once(8)).bytes, 8 * 2 * 65536);
  EXPECT_EQ(message_of([&] { node.unsupported(all_at_once(0)); }), "gpus=0: expected 1 to 1024");
}

TEST(NodeCopies, TakeTheMemoryNearestToEachGpu) {
  machine::Machine machine;
  machine.gpus.resize(2);
  machine.gpus[0].pcie.address = "0000:1b:00.0";
  machine.gpus[1].pcie.address = "0000:9b:00.0";
  machine.gpus[1].pcie.numa_node = 1;
  EXPECT_EQ(nearest_node(machine, "0000:9b:00.0"), 1);
  EXPECT_EQ(nearest_node(machine, "0000:ff:00.0"), -1);
}

TEST(NodeMetrics, AreThoseOfTheSlowestGpuBesideItselfAlone) {
  // Two GPUs of 1 GB: 0.1 and 0.2 s together, 0.1 and 0.125 s alone.
  const GpuSeconds together(3, {0.1, 0.2}), alone(2, {0.1, 0.125});
  const std::vector<core::Metric> metrics = node_metrics(1'000'000'000, together, alone);
  ASSERT_EQ(metrics.size(), 3U);
  EXPECT_DOUBLE_EQ(metrics[0].value, 5);
  EXPECT_DOUBLE_EQ(metrics[1].value, 8);
  EXPECT_DOUBLE_EQ(metrics[2].value, 0.625);
  EXPECT_TRUE(node_metrics(1, {}, alone).empty());
  const std::vector<core::Fact> facts = node_facts(1'000'000'000, together, alone);
  EXPECT_EQ(facts[2].first, "gpu1_gb_per_s");
  EXPECT_DOUBLE_EQ(std::get<double>(facts[2].second), 5);
}

TEST(AllCopies, SayWithTheBytesThatThereIsNoSpaceForThem) {
  const CopyWay both{.direction = CopyDirection::both, .bytes = 1000};
  EXPECT_EQ(no_space(both, 1, 1999, 9000),
            "the device memory of a copy needs 2000 bytes and 1999 are available");
  EXPECT_EQ(no_space(both, 1, 2000, 2999),
            "the host memory of a copy needs 3000 bytes and 2999 are available");
  EXPECT_EQ(no_space(both, 8, 2000, 16999),
            "the host memory of a copy needs 17000 bytes and 16999 are available");
  EXPECT_EQ(no_space(both, 1, 2000, 3000), std::nullopt);
  EXPECT_EQ(no_space(both, 1, 0, 0), std::nullopt) << "not known";
  EXPECT_EQ(no_space({.from = 2, .to = 5, .bytes = 1000}, 1000, 999),
            "a copy on GPU 5 needs 1000 bytes and 999 are available");
  EXPECT_EQ(no_space({.from = 2, .to = 5, .bytes = 1000, .both = true}, 1999, 2000),
            "a copy on GPU 2 needs 2000 bytes and 1999 are available");
}

TEST(AllCopies, SayInTheDriversWordsWhyTheyCannotRun) {
  if (!cuda::device_unavailable()) GTEST_SKIP() << "this machine has a GPU: the refusal cannot be seen here";
  EXPECT_EQ(peer_copy_cases({}).front().unsupported(peers(0, 1)), cuda::device_unavailable());
  EXPECT_EQ(node_copy_cases({}).front().unsupported(all_at_once(1)), cuda::device_unavailable());
}

}  // namespace
}  // namespace assay::offload
