// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The CUDA cases of every build, with and without CUDA.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "memory/cuda/cuda_geometry.hpp"
#include "memory/tests/cases_named.hpp"

namespace assay::memory {
namespace {

std::vector<core::Case> all() { return tests::cases_named("memory.cuda."); }

core::Work work_of(const std::string& name, std::int64_t bytes, const char* cache_state) {
  for (const core::Case& benchmark : all())
    if (benchmark.name == name)
      return benchmark.work({{"gpu", 0}, {"bytes", bytes}, {"cache_state", cache_state}});
  ADD_FAILURE() << "no case " << name;
  return {};
}

TEST(CudaDeclarations, HaveTheAgreedNames) {
  std::vector<std::string> names;
  for (const core::Case& benchmark : all()) names.push_back(benchmark.name);
  EXPECT_THAT(names, testing::UnorderedElementsAre(
                         "memory.cuda.read", "memory.cuda.write", "memory.cuda.copy", "memory.cuda.triad",
                         "memory.cuda.memset", "memory.cuda.copy_engine", "memory.cuda.latency",
                         "memory.cuda.link_latency", "memory.cuda.pattern", "memory.cuda.corruption",
                         "memory.cuda.corruption_self_test", "memory.cuda.vector"));
}

TEST(CudaDeclarations, ListTheirPointsAndTheirWorkWithoutADevice) {
  for (const core::Case& benchmark : all()) {
    const std::vector<core::Point> points = core::sweep(benchmark.axes);
    EXPECT_GE(points.size(), 1U) << benchmark.name;
    EXPECT_FALSE(benchmark.measures.empty()) << benchmark.name;
    for (const core::Axis& axis : benchmark.axes) EXPECT_FALSE(axis.meaning.empty()) << axis.name;
    for (const core::Point& point : points) {
      const core::Work work = benchmark.work(point);
      EXPECT_FALSE(work.bytes_counted.empty()) << benchmark.name;
      if (benchmark.headline == core::Headline::bandwidth_gb_per_s) {
        EXPECT_GT(work.bytes, 0) << point.key();
      }
    }
  }
}

TEST(CudaDeclarations, ShowBothSidesOfAnH100sL2) {
  constexpr std::int64_t h100_l2_bytes = 52'428'800;
  for (const core::Case& benchmark : all())
    for (const core::Axis& axis : benchmark.axes) {
      if (axis.name != "bytes" || benchmark.name == "memory.cuda.corruption") continue;  // no bandwidth
      EXPECT_LT(std::get<std::int64_t>(axis.values.front()), h100_l2_bytes / 2);
      EXPECT_GT(std::get<std::int64_t>(axis.values.back()), 10 * h100_l2_bytes);
    }
}

TEST(CudaWork, CountsWhatTheKernelsMove) {
  using core::gib;
  using core::mib;
  const auto gibibyte = static_cast<double>(gib);
  EXPECT_DOUBLE_EQ(work_of("memory.cuda.read", 4 * gib, "cold").bytes, 4 * gibibyte);
  EXPECT_DOUBLE_EQ(work_of("memory.cuda.write", 4 * gib, "hot").bytes, 4 * gibibyte);
  EXPECT_DOUBLE_EQ(work_of("memory.cuda.copy", 4 * gib, "cold").bytes, 4 * gibibyte);
  // 16 MiB 32 times over is half a gibibyte.
  EXPECT_DOUBLE_EQ(work_of("memory.cuda.copy", 16 * mib, "hot").bytes, 0.5 * gibibyte);
  EXPECT_DOUBLE_EQ(work_of("memory.cuda.copy", 16 * mib, "cold").bytes, gibibyte / 64);
  // Three arrays of 42 tiles of 32 KiB.
  EXPECT_DOUBLE_EQ(work_of("memory.cuda.triad", 4 * mib, "cold").bytes, 3 * 42 * 32768.0);
  EXPECT_DOUBLE_EQ(work_of("memory.cuda.memset", 16 * mib, "hot").bytes, gibibyte / 64);
  EXPECT_DOUBLE_EQ(work_of("memory.cuda.copy_engine", 16 * mib, "hot").bytes, gibibyte / 64);
}

TEST(CudaWork, OfAFootprintTooSmallIsAUsageError) {
  EXPECT_THROW(work_of("memory.cuda.triad", 4096, "hot"), core::Error);
  for (const core::Case& benchmark : all()) {
    if (benchmark.headline != core::Headline::bandwidth_gb_per_s) continue;
    core::Point small = core::sweep(benchmark.axes).front();
    small.set(small.has("bytes") ? "bytes" : "elements", std::int64_t{3000});  // no whole row
    EXPECT_THROW(benchmark.unsupported(small), core::Error)
        << benchmark.name << ", with and without CUDA or a GPU";
  }
  EXPECT_THROW(chase_nodes(128), core::Error);
  EXPECT_EQ(chase_nodes(32 * core::kib), 256U);
}

}  // namespace
}  // namespace assay::memory
