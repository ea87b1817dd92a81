// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/host/arena.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

#include "harness/core/error.hpp"

namespace assay::host {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::size_t mib = std::size_t{1} << 20;

TEST(Arena, IsZeroedWritableAndAlignedToAHugePage) {
  Arena arena(3 * mib + 5, -1, Pages::base);
  EXPECT_EQ(arena.size(), 3 * mib + 5);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.data()) % (2 * mib), 0u);
  const std::span<std::byte> all = arena.as<std::byte>();
  EXPECT_EQ(std::count(all.begin(), all.end(), std::byte{0}), static_cast<std::ptrdiff_t>(all.size()));
  std::ranges::fill(all, std::byte{7});
  EXPECT_EQ(all.back(), std::byte{7});
  EXPECT_EQ(arena.as<double>().size(), (3 * mib + 5) / 8);
}

TEST(Arena, BasePagesHoldNoHugePage) {
  Arena arena(16 * mib, -1, Pages::base);
  std::memset(arena.data(), 1, arena.size());
  EXPECT_EQ(arena.huge_page_bytes(), 0);
}

TEST(Arena, TransparentHugePagesBackItWhereTheKernelGivesThem) {
  std::string setting;
  std::getline(std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled") >> std::ws, setting);
  if (setting.empty() || setting.find("[never]") != std::string::npos)
    GTEST_SKIP() << "this kernel gives no transparent huge pages: " << setting;
  Arena arena(64 * mib, -1, Pages::transparent);
  EXPECT_EQ(arena.huge_page_bytes(), 0) << "nothing was touched yet";
  std::memset(arena.data(), 1, arena.size());
  EXPECT_GT(arena.huge_page_bytes(), 0);
  EXPECT_LE(arena.huge_page_bytes(), static_cast<std::int64_t>(arena.size()));
}

TEST(Arena, CanBePlacedOnANode) {
  Arena arena(mib, 0, Pages::base);
  std::memset(arena.data(), 1, arena.size());
  EXPECT_EQ(arena.as<char>().back(), 1);
}

TEST(Arena, MovesLeaveNothingBehind) {
  Arena first(mib, -1, Pages::base);
  std::byte* data = first.data();
  Arena second(std::move(first));
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(first.data(), nullptr);
  Arena third(2 * mib, -1, Pages::base);
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
  EXPECT_EQ(third.size(), mib);
}

TEST(Arena, MoreThanThereIsIsUnsupportedInOneClearLine) {
  EXPECT_THAT([] { Arena(std::size_t{1} << 50, -1, Pages::base); },
              ThrowsMessage<core::Unsupported>(
                  AllOf(HasSubstr("1.049e+06 GiB of memory asked for"), HasSubstr("available"))));
  EXPECT_THAT([] { Arena(~std::size_t{0}, 0, Pages::base); },
              ThrowsMessage<core::Unsupported>(HasSubstr("of memory asked for")));
  EXPECT_THAT([] { Arena(0, -1, Pages::base); }, ThrowsMessage<core::Error>(HasSubstr("0 bytes")));
  EXPECT_THAT([] { Arena(mib, 999, Pages::base); },
              ThrowsMessage<core::Error>(HasSubstr("no NUMA node 999")));
}

TEST(ArenaDeathTest, TheBytesBeyondAreGuarded) {
  Arena arena(2 * mib, -1, Pages::base);
  volatile std::byte* data = arena.data();
  EXPECT_DEATH(data[2 * mib] = std::byte{1}, "");
  EXPECT_DEATH(*(data - 1) = std::byte{1}, "");
}

}  // namespace
}  // namespace assay::host
