// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/training/rank_groups.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "harness/core/error.hpp"

namespace assay::training {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal_of_groups(const std::string& text) {
  const std::array texts{text};
  try {
    rank_groups(texts, 16);
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

TEST(RankGroups, OfTwoLevelsAreTheRanksThatDifferInThoseDimensionsOnly) {
  constexpr std::uint32_t tensor = 2, context = 2, pipeline = 3, data = 4, ranks = 48;
  const std::array levels{GroupLevel{tensor, context}, GroupLevel{tensor * context * pipeline, data}};
  const std::array texts{groups_text(ranks, levels)};
  EXPECT_EQ(texts.front(), "0:48:2:2:12:4");
  const std::vector<RankGroup> groups = rank_groups(texts, ranks);
  ASSERT_EQ(groups.size(), tensor * pipeline);
  for (const RankGroup& group : groups) {
    EXPECT_TRUE(std::ranges::is_sorted(group));
    RankGroup expected;
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      if (rank % tensor == group[0] % tensor && rank / 4 % pipeline == group[0] / 4 % pipeline)
        expected.push_back(rank);
    EXPECT_EQ(group, expected);
  }
}

TEST(RankGroups, LevelsOfOneRankAreLeftOut) {
  const std::array levels{GroupLevel{1, 1}, GroupLevel{4, 2}};
  EXPECT_EQ(groups_text(8, levels), "0:8:4:2");
  EXPECT_EQ(groups_text(8, std::span(levels).first(1)), "");
}

TEST(RankGroups, MayBeListed) {
  const std::array<std::string, 2> texts{"0+8+10-12", "1-3"};
  EXPECT_THAT(rank_groups(texts, 16), ElementsAre(ElementsAre(0, 8, 10, 11, 12), ElementsAre(1, 2, 3)));
}

TEST(RankGroups, OfOneRankMayBeListedAlone) {
  EXPECT_THAT(listed_ranks("3", 4), ElementsAre(3));
  EXPECT_THAT(listed_ranks("3+0-1", 4), ElementsAre(3, 0, 1));
}

TEST(RankGroups, ThatAreNoneAreRefused) {
  EXPECT_THAT(refusal_of_groups("0+16"), HasSubstr("rank 16 is beyond the last, 15"));
  EXPECT_THAT(refusal_of_groups("3-1"), HasSubstr("not ranks"));
  EXPECT_THAT(refusal_of_groups("0-1-2"), HasSubstr("not ranks"));
  EXPECT_THAT(refusal_of_groups("0+"), HasSubstr("not whole numbers"));
  EXPECT_THAT(refusal_of_groups("0+0"), HasSubstr("rank 0 twice"));
  EXPECT_THAT(refusal_of_groups("0-99999999"), HasSubstr("too many ranks"));
  EXPECT_THAT(refusal_of_groups("0:16:1:4:2:2"), HasSubstr("a stride of 2 after rows of 4"));
  EXPECT_THAT(refusal_of_groups("0:16:1:2:4"), HasSubstr("a stride without a size"));
  EXPECT_THAT(refusal_of_groups("0:16:1:2:4:8"), HasSubstr("16 ranks do not divide into 2 groups of 16"));
}

}  // namespace
}  // namespace assay::training
