// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/rows/row_names.hpp"

#include <gtest/gtest.h>

namespace assay::model::fit {
namespace {

TEST(FamilyNames, AreTakenApartAsTheyWerePutTogether) {
  for (const FamilyName& name : {FamilyName{"node-a/nccl", "all_reduce", 8, 1, "ring"},
                                 FamilyName{"public, 8 devices per node", "all_gather", 16, 0, ""}}) {
    const auto read = FamilyName::from(name.text());
    ASSERT_TRUE(read) << name.text();
    EXPECT_EQ(read->system, name.system);
    EXPECT_EQ(read->operation, name.operation);
    EXPECT_EQ(read->ranks, name.ranks);
    EXPECT_EQ(read->nodes, name.nodes);
    EXPECT_EQ(read->algorithm, name.algorithm);
  }
}

TEST(FamilyNames, NeedTwoRanksAndFourParts) {
  for (const char* text : {"", "a", "all_reduce,8,ring", "a,all_reduce,1,ring", "a,all_reduce,x,ring",
                           "a,all_reduce,8 on,ring", "a,all_reduce,8 on x,ring", "a,all_reduce,,ring"})
    EXPECT_FALSE(FamilyName::from(text)) << text;
}

TEST(ConditionedNames, AreTakenApartAsTheyWerePutTogether) {
  for (const ConditionedName& name :
       {ConditionedName{"write"}, ConditionedName{"write", "memory=host qps=1"},
        ConditionedName{"cuda.read", "data=random", "hot"}, ConditionedName{"host.copy", "", "memory"}}) {
    const ConditionedName read = ConditionedName::from(name.text());
    EXPECT_EQ(read.operation, name.operation) << name.text();
    EXPECT_EQ(read.conditions, name.conditions) << name.text();
    EXPECT_EQ(read.region, name.region) << name.text();
  }
}

TEST(ConditionedNames, OfACacheSaySo) {
  EXPECT_TRUE(ConditionedName::from("host.copy threads=2 L3").is_in_a_cache());
  EXPECT_TRUE(ConditionedName::from("cuda.read hot").is_in_a_cache());
  EXPECT_FALSE(ConditionedName::from("cuda.read threads=2").is_in_a_cache());
  EXPECT_FALSE(ConditionedName::from("host.copy memory").is_in_a_cache());
}

}  // namespace
}  // namespace assay::model::fit
