// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/population/population_mix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <exception>

namespace assay::results {
namespace {

using testing::HasSubstr;

std::string complaint_about(const std::string& text, const std::vector<std::string>& points = {"a/n=1"}) {
  try {
    shares_of(mix_in(text, "step.toml"), points);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(PopulationMix, SharesAWeightAmongThePointsThatMatch) {
  const PopulationMix mix =
      mix_in("name = \"step\"\n[weights]\n\"gemm/*\" = 3\n\"copy/n=1\" = 1.0\n", "step.toml");
  const std::vector<std::string> points{"copy/n=1", "copy/n=2", "gemm/m=1", "gemm/m=2"};
  EXPECT_EQ(mix.name, "step");
  EXPECT_EQ(shares_of(mix, points), (std::vector{0.25, 0.0, 0.375, 0.375}));
}

TEST(PopulationMix, NamesFileLineAndKeyOfWhatItCannotUse) {
  EXPECT_THAT(complaint_about("name = \n"), HasSubstr("step.toml:1: not TOML"));
  EXPECT_THAT(complaint_about("[weights]\n\"a\" = 1\n"), HasSubstr("name: missing: expected the name"));
  EXPECT_THAT(complaint_about("name = \"x\"\n"), HasSubstr("weights: missing: expected a table"));
  EXPECT_THAT(complaint_about("name = \"x\"\nweights = 3\n"),
              HasSubstr("step.toml:2: weights: expected a table"));
  EXPECT_THAT(complaint_about("name = \"x\"\nother = 3\n"), HasSubstr("step.toml:2: other: unknown key"));
  for (const char* weight : {"0", "-1", "nan", "inf", "\"much\"", "true"})
    EXPECT_THAT(complaint_about(std::string("name = \"x\"\n[weights]\n\"a/*\" = ") + weight + "\n"),
                HasSubstr("step.toml:3: weights.a/*: expected a number above 0"))
        << weight;
}

TEST(PopulationMix, RefusesAGlobWithoutPointsAndAPointOfTwoGlobs) {
  EXPECT_THAT(complaint_about("name = \"x\"\n[weights]\n\"b*\" = 1\n"), HasSubstr("'b*' matches no point"));
  EXPECT_THAT(complaint_about("name = \"x\"\n[weights]\n\"a*\" = 1\n\"*\" = 1\n"), HasSubstr("match a/n=1"));
}

}  // namespace
}  // namespace assay::results
