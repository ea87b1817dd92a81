// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nvlink_domain/domain_copy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::collectives {
namespace {

using enum DomainPattern;
using testing::ElementsAre;
using testing::Optional;

TEST(DomainCopies, AreThoseOfThePattern) {
  DomainPlan plan{.ranks = 4, .from = 1, .to = 3};
  const auto of = [&](DomainPattern pattern) {
    plan.pattern = pattern;
    return copies_of(plan);
  };
  EXPECT_THAT(of(pair), ElementsAre(DomainCopy{1, 3, 0}));
  EXPECT_THAT(of(both_ways), ElementsAre(DomainCopy{1, 3, 0}, DomainCopy{3, 1, 0}));
  EXPECT_THAT(of(ring), ElementsAre(DomainCopy{0, 1, 0}, DomainCopy{1, 2, 0}, DomainCopy{2, 3, 0},
                                    DomainCopy{3, 0, 0}));
  EXPECT_THAT(of(halves), ElementsAre(DomainCopy{0, 2, 0}, DomainCopy{1, 3, 0}, DomainCopy{2, 0, 0},
                                      DomainCopy{3, 1, 0}));
  EXPECT_THAT(of(one_to_all), ElementsAre(DomainCopy{1, 0, 0}, DomainCopy{1, 2, 0}, DomainCopy{1, 3, 0}));
  EXPECT_THAT(of(all_to_one), ElementsAre(DomainCopy{0, 3, 0}, DomainCopy{1, 3, 1}, DomainCopy{2, 3, 2}));
  EXPECT_EQ(arrivals_at(3, copies_of(plan)), 3);
}

TEST(DomainCopies, AreTheSourcesOrTheTargetsToMake) {
  EXPECT_EQ((DomainPlan{.target_copies = false}.copier({0, 1, 0})), 0);
  EXPECT_EQ((DomainPlan{.target_copies = true}.copier({0, 1, 0})), 1);
}

TEST(DomainPattern, NeedsItsRanks) {
  EXPECT_THAT(no_such_pattern({.ranks = 1}),
              Optional(std::string("one rank has none to copy to: --ranks 2 or more")));
  EXPECT_THAT(no_such_pattern({.ranks = 2, .from = 2}),
              Optional(std::string("from=2: there are ranks 0 to 1")));
  EXPECT_THAT(no_such_pattern({.ranks = 2, .to = 5}), Optional(std::string("to=5: there are ranks 0 to 1")));
  EXPECT_THAT(no_such_pattern({.ranks = 2, .from = 1, .to = 1}),
              Optional(std::string("from=1, to=1: a rank is not a peer of itself")));
  EXPECT_THAT(no_such_pattern({.pattern = halves, .ranks = 3}),
              Optional(std::string("pattern=halves: 3 ranks have no two halves")));
  EXPECT_THAT(no_such_pattern({.ranks = 2, .by_kernel = true, .bytes = 24}),
              Optional(std::string("bytes=24: a kernel copies multiples of 16")));
  EXPECT_EQ(no_such_pattern({.ranks = 2, .bytes = 24}), std::nullopt);
  EXPECT_EQ(no_such_pattern({.pattern = all_to_one, .ranks = 2, .from = 7}), std::nullopt);
  EXPECT_EQ(no_such_pattern({.pattern = one_to_all, .ranks = 2, .to = 7}), std::nullopt);
  EXPECT_EQ(no_such_pattern({.pattern = ring, .ranks = 2, .from = 7, .to = 7}), std::nullopt);
}

}  // namespace
}  // namespace assay::collectives
