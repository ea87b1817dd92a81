// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/nearest_name.hpp"

#include <gtest/gtest.h>

#include <array>

namespace assay::core {
namespace {

constexpr std::array<std::string_view, 4> names = {"mem1", "mem2", "processing_mode", "kv_heads"};

TEST(NearestName, IsTheOneOfTheFewestEdits) {
  EXPECT_EQ(nearest_name("procesing_mod", names), "processing_mode");
  EXPECT_EQ(nearest_name("kvheads", names), "kv_heads");
  EXPECT_EQ(nearest_name("MEM2", names), "mem2");
  EXPECT_EQ(nearest_name("mem3", names), "mem1") << "the first of two";
}

TEST(NearestName, IsNoneWhereAllAreFar) {
  EXPECT_EQ(nearest_name("colour", names), "");
  EXPECT_EQ(nearest_name("me", names), "") << "two letters are near to everything";
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("mem1", {}), "");
}

TEST(UnknownKey, NamesTheKnownOnesAndTheNearest) {
  EXPECT_EQ(unknown_key("colour", names), "unknown key (expected mem1, mem2, processing_mode, kv_heads)");
  EXPECT_EQ(unknown_key("kvheads", names),
            "unknown key (expected mem1, mem2, processing_mode, kv_heads); did you mean kv_heads?");
}

}  // namespace
}  // namespace assay::core
