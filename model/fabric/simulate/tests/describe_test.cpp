// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/answer/describe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::model::fabric {
namespace {

using testing::HasSubstr;

TEST(Describe, CountsOneSwitchInTheSingular) {
  EXPECT_THAT(describe(parse_fabric("preset = 'star'\nhosts = 64", "f.toml")).sentence,
              HasSubstr("64 GPUs, 1 leaf switch; "));
  EXPECT_THAT(describe(parse_fabric("preset = 'ai-zone'\nleaves = 2\nspines = 1", "f.toml")).sentence,
              HasSubstr("32 GPUs, 2 leaf switches, 1 spine switch; "));
}

}  // namespace
}  // namespace assay::model::fabric
