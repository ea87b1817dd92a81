// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;

tests::Said claims(const std::string& arguments) {
  return tests::assay_in(ASSAY_SOURCE_DIR, "claims " + arguments);
}

TEST(ClaimsCommand, ComeOutAsExpectedAndAsThePageShows) {
  const std::string path = std::string(ASSAY_SOURCE_DIR) + "/docs/claims.md";
  const tests::Said said = claims("--format markdown");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  const std::string page = tests::text_of(path), head = page.substr(0, page.find("| row |"));
  const std::string table = said.text.substr(said.text.find("| row |"));
  if (std::getenv("ASSAY_APPROVE") != nullptr) std::ofstream(path) << head << table;
  EXPECT_EQ(tests::text_of(path), head + table);
}

TEST(ClaimsCommand, ShowsTheCommandsOfRowsThatAreNamed) {
  const tests::Said said = claims("D25 24k-cluster --format markdown");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("min-cut"));
  EXPECT_THAT(said.text, HasSubstr("assay fabric describe fabric/data-centre.toml"));
}

TEST(ClaimsCommand, RefusesWhatIsNoClaimAndNoFolder) {
  EXPECT_EQ(claims("Z9").text, "assay: claims: no claim 'Z9'\n");
  const tests::Said said = claims("--examples /none");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr("/none: no folder of examples"));
}

}  // namespace
}  // namespace assay::cli
