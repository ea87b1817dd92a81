// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/wiring/shared_ends.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace assay::model::fabric::wiring {
namespace {

using Pairs = std::vector<std::optional<std::size_t>>;

/// The plainest search for a path, which recurs.
bool augment(const SharedEnds& ends, std::size_t missing, std::vector<char>& seen, Pairs& missing_of) {
  const auto shares = [&](std::size_t extra) {
    return std::ranges::any_of(ends.groups_of_missing[missing], [&](std::size_t group) {
      return group != SharedEnds::no_group && std::ranges::count(ends.extras_of_group[group], extra) > 0;
    });
  };
  for (std::size_t extra = 0; extra < missing_of.size(); ++extra) {
    if (seen[extra] != 0 || !shares(extra)) continue;
    seen[extra] = 1;
    if (missing_of[extra] && !augment(ends, *missing_of[extra], seen, missing_of)) continue;
    missing_of[extra] = missing;
    return true;
  }
  return false;
}
Pairs plain_pairs(const SharedEnds& ends) {
  Pairs missing_of(ends.extras);
  for (std::size_t missing = 0; missing < ends.groups_of_missing.size(); ++missing) {
    std::vector<char> seen(ends.extras, 0);
    augment(ends, missing, seen, missing_of);
  }
  return missing_of;
}

SharedEnds drawn(std::mt19937_64& random) {
  SharedEnds ends;
  const std::size_t groups = 1 + random() % 8;
  ends.extras = random() % 12;
  ends.extras_of_group.resize(groups);
  for (std::size_t extra = 0; extra < ends.extras; ++extra) {
    const std::size_t one = random() % groups, other = random() % groups;
    ends.extras_of_group[one].push_back(extra);
    if (one != other) ends.extras_of_group[other].push_back(extra);
  }
  for (std::size_t left = random() % 12; left > 0; --left)
    ends.groups_of_missing.push_back(
        {random() % groups, random() % 4 == 0 ? SharedEnds::no_group : random() % groups});
  return ends;
}

TEST(SharedEnds, ArePairedAsByThePlainestSearch) {
  std::mt19937_64 random(7);
  for (int draw = 0; draw < 2000; ++draw) {
    const SharedEnds ends = drawn(random);
    EXPECT_EQ(most_pairs(ends), plain_pairs(ends)) << "draw " << draw;
  }
}

/// The last missing cable takes the extra one of the cable before it, and so on to the first.
TEST(SharedEnds, AreExchangedAlongAPathOfAnyLength) {
  constexpr std::size_t length = 300'000;
  SharedEnds ends;
  ends.extras = length + 1;
  ends.extras_of_group.resize(length + 1);
  for (std::size_t group = 0; group <= length; ++group) ends.extras_of_group[group] = {length - group};
  for (std::size_t missing = 0; missing < length; ++missing)
    ends.groups_of_missing.push_back({missing, missing + 1});
  ends.groups_of_missing.push_back({length, SharedEnds::no_group});
  const Pairs pairs = most_pairs(ends);
  EXPECT_EQ(pairs[0], length);
  for (std::size_t missing = 0; missing < length; ++missing) EXPECT_EQ(pairs[length - missing], missing);
}

/// Hosts without labels are all alike: every missing one can be every extra one.
TEST(SharedEnds, AllInOneGroupArePaired) {
  constexpr std::size_t hosts = 3000;
  SharedEnds ends{std::vector<std::array<std::size_t, 2>>(hosts, {0, SharedEnds::no_group}), {{}}, hosts};
  for (std::size_t extra = 0; extra < hosts; ++extra) ends.extras_of_group[0].push_back(extra);
  for (const auto& missing : most_pairs(ends)) EXPECT_TRUE(missing);
}

}  // namespace
}  // namespace assay::model::fabric::wiring
