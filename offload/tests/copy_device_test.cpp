// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies on a GPU: every kind of memory, way and mover at a small size, verified; and that the check can
// fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "offload/copy/host_copy.hpp"
#include "offload/tests/case_lists.hpp"

namespace assay::offload {
namespace {

using enum core::Verification::Result;

class CopyOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = cuda::device_unavailable()) GTEST_SKIP() << *reason;
  }
};

TEST_F(CopyOnDevice, EveryWayOfCopyingIsRight) {
  const core::Case copy = copy_cases({}).front();
  for (const char* direction : {"h2d", "d2h", "both"})
    for (const char* by : {"engine", "sm"})
      for (const std::string& memory : all_memory_kinds()) {
        const core::Point point{{"gpu", std::int64_t{0}},
                                {"numa", std::int64_t{-1}},
                                {"bytes", std::int64_t{1 << 20}},
                                {"direction", direction},
                                {"by", by},
                                {"memory", memory},
                                {"blocks", std::int64_t{16}}};
        if (copy.unsupported(point)) continue;
        SCOPED_TRACE(point.key());
        const auto trial = copy.prepare(point);
        trial->run(1);
        trial->sampling_begins();
        EXPECT_GT(trial->run(5).seconds, 0);
        trial->sampling_ends();
        const core::Verification seen = trial->verify();
        EXPECT_EQ(seen.result, right) << seen.why;
        EXPECT_FALSE(trial->facts().empty());
      }
}

TEST_F(CopyOnDevice, WithoutACopyTheTargetIsNotTheSource) {
  cuda::DeviceSite site(0);
  for (const CopyDirection direction : {CopyDirection::host_to_device, CopyDirection::device_to_host}) {
    HostCopy copy({.direction = direction, .bytes = 4096, .blocks = 1}, site.stream.get());
    EXPECT_EQ(copy.verify().result, wrong);
    copy.enqueue();
    EXPECT_EQ(copy.verify().result, right);
  }
}

TEST_F(CopyOnDevice, AllGpusAtOnceAreRight) {
  const core::Case node = node_copy_cases({}).front();
  const core::Point point{{"gpus", std::int64_t{cuda::device_count()}},
                          {"bytes", std::int64_t{1 << 20}},
                          {"direction", "both"},
                          {"by", "engine"},
                          {"memory", "pinned"},
                          {"blocks", std::int64_t{16}}};
  const auto trial = node.prepare(point);
  trial->sampling_begins();
  EXPECT_GT(trial->run(5).seconds, 0);
  trial->sampling_ends();
  EXPECT_EQ(trial->verify().result, right);
  EXPECT_EQ(trial->metrics({}).size(), 3U);
}

TEST_F(CopyOnDevice, EveryCopyToAPeerIsRight) {
  if (cuda::device_count() < 2) GTEST_SKIP() << "one GPU: it has no peer";
  const core::Case peer = peer_copy_cases({}).front();
  for (const char* by : {"engine", "sm"})
    for (const char* on : {"source", "target"})
      for (const char* ways : {"one", "both"}) {
        const core::Point point{{"from", std::int64_t{0}},
                                {"to", std::int64_t{1}},
                                {"by", by},
                                {"on", on},
                                {"ways", ways},
                                {"bytes", std::int64_t{1 << 20}},
                                {"blocks", std::int64_t{16}}};
        SCOPED_TRACE(point.key());
        try {
          const auto trial = peer.prepare(point);
          EXPECT_GT(trial->run(5).seconds, 0);
          EXPECT_EQ(trial->verify().result, right);
          trial->metrics({});
          EXPECT_EQ(trial->verify().result, right);
        } catch (const core::Unsupported& none) {
          EXPECT_THAT(none.what(), testing::ContainsRegex("not reach"));
        }
      }
}

}  // namespace
}  // namespace assay::offload
