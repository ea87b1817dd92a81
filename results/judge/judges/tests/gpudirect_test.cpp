// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// GPUDirect against host memory, on synthetic records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/judge/tests/ask_judge.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::results {
namespace {

struct MemoryPoint {
  std::string memory;
  double gb_per_s = 0;  // 0: the point failed
  std::int64_t bytes = 1 << 20;
  std::string metric = "bandwidth_gb_per_s";
};

Store store_of(const std::vector<MemoryPoint>& points) {
  test::RunBuilder builder("run-1");
  builder.begin(0, "rdma");
  for (const MemoryPoint& one : points) {
    PointRecord record = builder.point("rdma.verbs.bandwidth",
                                       {{"bytes", one.bytes}, {"memory", one.memory}, {"gpu", "auto"}});
    record.links = {{.rank = 0, .link_class = LinkClass::clean, .watched = 9}};
    if (one.gb_per_s == 0) {
      builder.not_measured(std::move(record), Status::failed, "register 1 MiB of device memory: Bad address");
      continue;
    }
    const double bytes = static_cast<double>(one.bytes);
    builder.measured(std::move(record), bytes / one.gb_per_s * 1e-9,
                     {one.metric, "GB/s", [=](double seconds) { return bytes / seconds * 1e-9; }});
  }
  builder.end();
  Store store("");
  store.add(builder.take());
  return store;
}

std::vector<VerdictRow> rows_of(const std::vector<MemoryPoint>& points) {
  const Store store = store_of(points);
  const auto judged = test::ask_judge("gpudirect", {.store = store});
  return judged.empty() ? std::vector<VerdictRow>() : judged.front().verdicts.rows.unpacked();
}

TEST(GpuDirect, FailsWhereItIsSlowerThanHostMemoryByMoreThanTheMargin) {
  const auto rows = rows_of({{"host", 48}, {"cuda", 30}});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].verdict, Verdict::fail);
  EXPECT_EQ(rows[0].metric, "rdma.verbs.bandwidth/bytes=1048576,gpu=auto memory=cuda against host");
  EXPECT_THAT(rows[0].because, testing::HasSubstr("GB/s from device memory"));
  EXPECT_NEAR(rows[0].value->value, 62.5, 1);
}

TEST(GpuDirect, PassesWithinTheMarginAndIsOpenAtIt) {
  EXPECT_EQ(rows_of({{"host", 48}, {"cuda_dmabuf", 47.9}}).at(0).verdict, Verdict::pass);
  EXPECT_EQ(rows_of({{"host", 48}, {"cuda_dmabuf", 60}}).at(0).verdict, Verdict::pass);
  EXPECT_EQ(rows_of({{"host", 48}, {"cuda_dmabuf", 45.6}}).at(0).verdict, Verdict::inconclusive);
}

TEST(GpuDirect, ThatFailedIsNoPass) {
  const auto rows = rows_of({{"host", 48}, {"cuda", 0}});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].verdict, Verdict::inconclusive);
  EXPECT_THAT(rows[0].because, testing::HasSubstr("Bad address"));
}

TEST(GpuDirect, IsNotJudgedWithoutItsCounterpartOrOfSmallMessagesOrLatencies) {
  EXPECT_TRUE(rows_of({{"host", 48}, {"huge", 48}}).empty());
  EXPECT_TRUE(rows_of({{"cuda", 48}}).empty());
  EXPECT_TRUE(rows_of({{"host", 48, 4096}, {"cuda", 30, 4096}}).empty());
  EXPECT_TRUE(rows_of({{"host", 48, 1 << 20, "latency_us"}, {"cuda", 30, 1 << 20, "latency_us"}}).empty());
  EXPECT_TRUE(rows_of({{"host", 48, 1 << 20}, {"cuda", 30, 1 << 21}}).empty());
}

}  // namespace
}  // namespace assay::results
