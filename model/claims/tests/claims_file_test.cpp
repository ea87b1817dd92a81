// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/claims_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::model::claims {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string whole =
    "[[claim]]\nid = 'a'\nof = 'A1 B2'\nsource = 's'\nsays = 't'\ncommand = 'list'\nvalue = '/x'\n"
    "evidence = 'computed'\n";

TEST(ClaimsFile, ReadsARow) {
  const std::vector<Claim> claims =
      parse_claims(whole + "expected = 3\nwithin = 0.5\nprinted = 3.1\nagainst = 'show'\n", "c.toml");
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_THAT(claims[0].of, ElementsAre("A1", "B2"));
  EXPECT_EQ(claims[0].expected.least, 2.5);
  EXPECT_EQ(claims[0].expected.most, 3.5);
  EXPECT_EQ(claims[0].printed, 3.1);
  EXPECT_EQ(claims[0].quantity.against_value, "/x") << "as of the command itself";
}

TEST(ClaimsFile, ShippedClaimsAreReadable) { EXPECT_GE(shipped_claims().size(), 30U); }

struct Refused {
  std::string toml, says;
};
class RefusedClaims : public testing::TestWithParam<Refused> {};

TEST_P(RefusedClaims, NameFileLineAndKey) {
  try {
    parse_claims(GetParam().toml, "c.toml");
    FAIL() << GetParam().toml;
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, RefusedClaims,
    testing::Values(
        Refused{"", "c.toml: no [[claim]] in it"},
        Refused{"claim = 3", "c.toml:1: key 'claim': expected tables"},
        Refused{whole, "c.toml:1: key 'expected': expected expected and within, at_least or at_most"},
        Refused{whole + "expected = 3\n", "key 'within': expected expected and within together"},
        Refused{whole + "expected = 3\nwithin = -1\n", "key 'within': expected a number of at least 0"},
        Refused{whole + "at_least = nan\n", "c.toml:9: key 'at_least': expected a number"},
        Refused{whole + "at_least = 1\nhopes = 2\n", "c.toml:10: unknown key 'hopes' in a claim"},
        Refused{whole + "at_least = 1\n" + whole + "at_least = 1\n", "key 'id': expected one claim 'a'"},
        Refused{"[[claim]]\nid = 'a'\nat_least = 1\n", "c.toml:1: key 'source' is missing"}));

}  // namespace
}  // namespace assay::model::claims
