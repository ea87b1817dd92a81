// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/device/device_reduce.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "collectives/nccl/device/accelerator.hpp"

namespace assay::collectives {
namespace {

/// Whole numbers, which every type holds exactly.
std::vector<std::byte> numbers(DataType type, std::int64_t count, unsigned seed) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(count * bytes_of(type)));
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    std::mt19937 random(seed);
    auto* elements = reinterpret_cast<T*>(bytes.data());
    for (std::int64_t i = 0; i < count; ++i)
      elements[i] = element_of<T>(static_cast<std::int64_t>(random() % 2001) - 1000);
  });
  return bytes;
}

void expect_as_on_the_host(Accelerator& gpu, DataType type, Operator reduction, std::int64_t count) {
  std::vector<std::byte> into = numbers(type, count, 1);
  const std::vector<std::byte> from = numbers(type, count, 2);
  std::byte* const device_into = gpu.allocate(into.size());
  std::byte* const device_from = gpu.allocate(from.size());
  gpu.to_device(device_into, into);
  gpu.to_device(device_from, from);
  gpu.reduce(type, reduction, device_into, device_from, count);
  std::vector<std::byte> reduced(into.size());
  gpu.to_host(reduced, device_into);
  reduce_into(type, reduction, into.data(), from.data(), count);
  EXPECT_EQ(reduced, into) << to_text(type) << " " << to_text(reduction) << " of " << count;
  gpu.free(device_into);
  gpu.free(device_from);
}

TEST(DeviceReduce, IsDoneAsOftenAsItsGraphIsReplayed) {
  if (const auto reason = why_no_gpu()) GTEST_SKIP() << *reason;
  const auto gpu = make_cuda_accelerator(0);
  const std::vector<double> ones(1000, 1);
  const std::size_t bytes = ones.size() * sizeof(double);
  std::byte* const sum = gpu->allocate(bytes);
  std::byte* const term = gpu->allocate(bytes);
  gpu->to_device(sum, std::as_bytes(std::span(ones)));
  gpu->to_device(term, std::as_bytes(std::span(ones)));
  gpu->begin_keeping();
  gpu->reduce(DataType::fp64, Operator::sum, sum, term, static_cast<std::int64_t>(ones.size()));
  gpu->copy(term, sum, bytes);
  const std::unique_ptr<Replay> replay = gpu->end_keeping();
  for (int i = 0; i < 3; ++i) replay->enqueue();
  std::vector<double> got(ones.size());
  gpu->to_host(std::as_writable_bytes(std::span(got)), sum);
  EXPECT_EQ(got, std::vector<double>(ones.size(), 8)) << "doubled three times, and not while it was kept";
  EXPECT_TRUE(gpu->is_idle());
  gpu->free(sum);
  gpu->free(term);
}

// Every sample of a schedule but the first comes after such a wait.
TEST(DeviceReduce, IsDoneAfterAWaitThatFoundTheStreamBusy) {
  if (const auto reason = why_no_gpu()) GTEST_SKIP() << *reason;
  const auto gpu = make_cuda_accelerator(0);
  const std::int64_t count = 1 << 20;
  const std::vector<double> ones(static_cast<std::size_t>(count), 1);
  std::byte* const sum = gpu->allocate(ones.size() * sizeof(double));
  gpu->to_device(sum, std::as_bytes(std::span(ones)));
  std::int64_t found_busy = 0;
  for (int sample = 0; sample < 50 && found_busy == 0; ++sample) {
    gpu->reduce(DataType::fp64, Operator::max, sum, sum, count);
    while (!gpu->is_idle()) ++found_busy;
  }
  EXPECT_GT(found_busy, 0);
  EXPECT_NO_THROW(gpu->reduce(DataType::fp64, Operator::max, sum, sum, count));
  gpu->free(sum);
}

TEST(DeviceReduce, IsWhatTheHostReducesBitByBit) {
  if (const auto reason = why_no_gpu()) GTEST_SKIP() << *reason;
  const auto gpu = make_cuda_accelerator(0);
  for (const DataType type : data_types())
    for (const Operator reduction : operators())
      for (const std::int64_t count : {1, 255, 256, 100'003})
        expect_as_on_the_host(*gpu, type, reduction, count);
}

/// Parts of a schedule begin at any element: packs of the two arrays then coincide, or never do.
TEST(DeviceReduce, IsRightFromAnyElementOn) {
  if (const auto reason = why_no_gpu()) GTEST_SKIP() << *reason;
  const auto gpu = make_cuda_accelerator(0);
  for (const DataType type : data_types())
    for (const std::int64_t skip_into : {0, 1, 3})
      for (const std::int64_t skip_from : {0, 1}) {
        const std::int64_t count = 300'007, size = bytes_of(type);
        std::vector<std::byte> into = numbers(type, count + skip_into, 1);
        const std::vector<std::byte> from = numbers(type, count + skip_from, 2);
        std::byte* const device_into = gpu->allocate(into.size());
        std::byte* const device_from = gpu->allocate(from.size());
        gpu->to_device(device_into, into);
        gpu->to_device(device_from, from);
        gpu->reduce(type, Operator::sum, device_into + skip_into * size, device_from + skip_from * size,
                    count);
        std::vector<std::byte> reduced(into.size());
        gpu->to_host(reduced, device_into);
        reduce_into(type, Operator::sum, into.data() + skip_into * size, from.data() + skip_from * size,
                    count);
        EXPECT_EQ(reduced, into) << to_text(type) << " from " << skip_into << " and " << skip_from;
        gpu->free(device_into);
        gpu->free(device_from);
      }
}

TEST(DeviceAverage, IsWhatTheHostDividesBitByBit) {
  if (const auto reason = why_no_gpu()) GTEST_SKIP() << *reason;
  const auto gpu = make_cuda_accelerator(0);
  for (const DataType type : data_types())
    for (const int ranks : {1, 3, 8}) {
      std::vector<std::byte> sums = numbers(type, 1003, 5);
      std::byte* const on_device = gpu->allocate(sums.size());
      gpu->to_device(on_device, sums);
      gpu->average(type, ranks, on_device, 1003);
      std::vector<std::byte> got(sums.size());
      gpu->to_host(got, on_device);
      average(type, ranks, sums.data(), 1003);
      EXPECT_EQ(got, sums) << to_text(type) << " over " << ranks;
      gpu->free(on_device);
    }
}

}  // namespace
}  // namespace assay::collectives
