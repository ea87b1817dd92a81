// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/front_end.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::model::reliability {
namespace {

constexpr FrontEnd network{
    .gb_per_s = 12.5, .checkpoint_gb = 160, .ingest_gb_per_s = 2, .logs_gb_per_s = 0.5, .interval_s = 100};

TEST(FrontEnd, GivesCheckpointsWhatIngestAndLogsLeave) {
  const FrontEndUse use = use_of(network);
  EXPECT_DOUBLE_EQ(use.write_s, 16);
  EXPECT_DOUBLE_EQ(use.mean_gb_per_s, 4.1);
  EXPECT_DOUBLE_EQ(use.share, 0.328);
  EXPECT_TRUE(use.carries);
  EXPECT_THAT(to_text(network, use), testing::HasSubstr("takes 16 s of what is left"));
}

TEST(FrontEnd, IsAtItsLimitWhereTheMeanIsWhatItCan) {
  FrontEnd limit = network;
  limit.interval_s = 16;
  EXPECT_DOUBLE_EQ(use_of(limit).share, 1);
  EXPECT_TRUE(use_of(limit).carries);
  limit.interval_s = 15;
  EXPECT_FALSE(use_of(limit).carries);
  EXPECT_THAT(to_text(limit, use_of(limit)), testing::HasSubstr("it starves"));
}

TEST(FrontEnd, ThatIngestAndLogsFillIsRefused) {
  FrontEnd full = network;
  full.ingest_gb_per_s = 12;
  EXPECT_THROW(use_of(full), core::Error);
}

}  // namespace
}  // namespace assay::model::reliability
