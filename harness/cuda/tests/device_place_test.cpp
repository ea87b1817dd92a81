// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// With and without CUDA.
#include "harness/cuda/device_place.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "harness/core/error.hpp"

namespace assay::cuda {
namespace {

TEST(DevicePlace, AxisOffersEveryVisibleDeviceAndAtLeastTheFirst) {
  const core::Axis axis = gpu_axis();
  ASSERT_EQ(axis.values.size(), static_cast<std::size_t>(std::max(1, device_count())));
  EXPECT_EQ(std::get<std::int64_t>(axis.values.front()), 0);
  EXPECT_EQ(axis.unit_kind, "gpu");
}

TEST(DevicePlace, OfAPointIsItsGpuAndTheFirstWhereItNamesNone) {
  EXPECT_EQ(gpu_of({{"gpu", 3}}), 3);
  EXPECT_EQ(gpu_of({{"bytes", 1}}), 0);
  EXPECT_THROW(gpu_of({{"gpu", std::string("first")}}), core::Error);
}

}  // namespace
}  // namespace assay::cuda
