// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/at_pointer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"

namespace assay::model::claims {
namespace {

const nlohmann::json answer = core::json_from<nlohmann::json>(
    R"({"x": [1, {"name": "b", "n": 2}, {"name": "c", "n": 3, "a/b": 4}], "leaf>spine": {"y": 5}})");

nlohmann::json at(const std::string& pointer) {
  const nlohmann::json* const found = at_pointer(answer, pointer);
  return found == nullptr ? nlohmann::json("nothing") : *found;
}

TEST(AtPointer, FollowsMembersAndPositions) {
  EXPECT_EQ(at("/x/0"), 1);
  EXPECT_EQ(at("/leaf>spine/y"), 5);
  EXPECT_EQ(at("/x/2/a~1b"), 4);
  EXPECT_EQ(at("/"), answer);
}

TEST(AtPointer, ChoosesAnElementByItsMembers) {
  EXPECT_EQ(at("/x/name=c/n"), 3);
  EXPECT_EQ(at("/x/n=2/name"), "b");
  EXPECT_EQ(at("/x/name=c,n=3/a~1b"), 4);
  EXPECT_EQ(at("/x/name=c,n=2"), "nothing");
}

TEST(AtPointer, FindsNothingWhereThereIsNothing) {
  EXPECT_EQ(at("/x/9"), "nothing");
  EXPECT_EQ(at("/x/name=d/n"), "nothing");
  EXPECT_EQ(at("/z/0/n"), "nothing");
}

}  // namespace
}  // namespace assay::model::claims
