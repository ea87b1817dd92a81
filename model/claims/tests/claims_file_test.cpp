// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/claims_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "harness/core/error.hpp"

namespace assay::model::claims {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string bare_row =
    "[[claim]]\nid = 'a'\nof = 'A1 B2'\nsource = 's'\nsays = 't'\nevidence = 'computed'\n";
const std::string whole = bare_row + "command = 'list'\nvalue = '/x'\n";
const std::string records_row =
    "[[claim]]\nid = 'a'\nof = 'A1'\nsource = 's'\nsays = 't'\nevidence = 'measured'\ncommand = 'run'\n"
    "point = 'a/*'\nmetric = 'm'\n";

TEST(ClaimsFile, ReadsARow) {
  const std::vector<Claim> claims =
      parse_claims(whole + "expected = 3\nwithin = 0.5\nprinted = 3.1\nagainst = 'show'\n", "c.toml");
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_THAT(claims[0].of, ElementsAre("A1", "B2"));
  EXPECT_EQ(claims[0].expected.least, 2.5);
  EXPECT_EQ(claims[0].expected.most, 3.5);
  EXPECT_EQ(claims[0].printed, 3.1);
  ASSERT_TRUE(claims[0].against);
  EXPECT_EQ(claims[0].against->command, "show");
  EXPECT_EQ(claims[0].against->value, "/x") << "as of the command itself";
}

TEST(ClaimsFile, ReadsARowOfRecords) {
  const Claim claim = parse_claims(records_row +
                                       "needs = 'a GPU'\npick = 'least'\nat_least = 1\n"
                                       "against_point = 'b/*'\nagainst_pick = 'most'\n",
                                   "c.toml")
                          .front();
  EXPECT_TRUE(claim.from_store());
  EXPECT_EQ(claim.quantity.pick, Pick::least);
  EXPECT_EQ(claim.against->point, "b/*");
  EXPECT_EQ(claim.against->metric, "m");
  EXPECT_EQ(claim.against->pick, Pick::most);
}

TEST(ClaimsFile, ReadsANumberThatTheSourceGives) {
  const Claim claim =
      parse_claims(
          bare_row + "given = 400\nagainst = 'predict'\nagainst_value = '/p'\nis = 'x'\ncontradicts = true\n",
          "c.toml")
          .front();
  EXPECT_EQ(claim.quantity.given, 400);
  EXPECT_EQ(claim.against->command, "predict");
  EXPECT_EQ(claim.expected.word, "x");
  EXPECT_EQ(parse_claims(whole + "has = 'late: rank 2'\n", "c.toml").front().expected.part, "late: rank 2");
  EXPECT_TRUE(claim.contradicts);
}

/// "A1" to "A18", "B1" to "B17", "C1" to "C29", "D1" to "D28".
std::vector<std::string> all_ids() {
  std::vector<std::string> ids;
  for (const auto& [letter, last] : {std::pair{"A", 18}, {"B", 17}, {"C", 29}, {"D", 28}})
    for (int number = 1; number <= last; ++number) ids.push_back(letter + std::to_string(number));
  return ids;
}

TEST(ShippedClaims, TestEveryPublishedClaimAndNoOther) {
  std::set<std::string> tested, rows;
  for (const Claim& claim : shipped_claims()) {
    tested.insert(claim.of.begin(), claim.of.end());
    EXPECT_TRUE(rows.insert(claim.id).second) << claim.id;
    EXPECT_FALSE(claim.quantity.command.empty() && !claim.against) << claim.id << " has no command";
  }
  const std::vector<std::string> ids = all_ids();
  EXPECT_EQ(ids.size(), 92U);
  EXPECT_EQ(tested, std::set<std::string>(ids.begin(), ids.end()));
}

TEST(ShippedClaims, AreChosenByIdOfARowOrOfAPublishedClaim) {
  EXPECT_EQ(shipped_claims({"mttf-16k"}).size(), 1U);
  EXPECT_GT(shipped_claims({"A1", "mttf-16k"}).size(), 1U);
  EXPECT_EQ(shipped_claims({}).size(), shipped_claims().size());
  EXPECT_THROW(shipped_claims({"Z9"}), core::Error);
}

TEST(ShippedClaims, AreEachHeldByATestThatExists) {
  const std::map<std::string, std::string> held = shipped_held_by();
  for (const std::string& id : all_ids()) {
    ASSERT_TRUE(held.contains(id)) << id;
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(ASSAY_SOURCE_DIR) / held.at(id)))
        << held.at(id);
  }
  EXPECT_EQ(held.size(), all_ids().size());
}

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
        Refused{"", "c.toml: no [[claim]] in it"}, Refused{"claim = 3", "c.toml:1: claim: expected tables"},
        Refused{
            whole,
            "c.toml:1: claim.expected: missing: expected expected and within, at_least, at_most, is or has"},
        Refused{whole + "expected = 3\n", "claim.within: expected expected and within together"},
        Refused{whole + "expected = 3\nwithin = -1\n", "claim.within: expected a number of at least 0"},
        Refused{whole + "at_least = nan\n", "c.toml:9: claim.at_least: expected a number"},
        Refused{whole + "at_least = 1\nhopes = 2\n", "c.toml:10: claim.hopes: unknown key"},
        Refused{whole + "at_least = 1\n" + whole + "at_least = 1\n", "claim.id: expected one claim 'a'"},
        Refused{"[[claim]]\nid = 'a'\nat_least = 1\n", "c.toml:1: claim.source: missing: expected text"},
        Refused{bare_row + "at_least = 1\nvalue = '/x'\n",
                "c.toml:1: claim.command: missing: expected a command"},
        Refused{bare_row + "command = 'list'\nat_least = 1\n", "claim.value: expected value or given where"},
        Refused{whole + "at_least = 1\npoint = 'a/*'\n", "claim.value: expected value or given where"},
        Refused{whole + "at_least = 1\nscenario = 1.5\n", "claim.scenario: expected a whole number from 1"},
        Refused{whole + "at_least = 1\npick = 'best'\n",
                "claim.pick: 'best' is unknown (expected median, least, most)"},
        Refused{whole + "at_least = 1\ncontradicts = 1\n", "claim.contradicts: expected true or false"},
        Refused{records_row + "at_least = 1\n", "claim.needs: missing: expected what a site must have"},
        Refused{"[[claim]]\nid = 'a'\nof = 'A1'\nsource = 's'\nsays = 't'\nevidence = 'host twin'\n"
                "command = 'run'\nat_least = 1\n",
                "claim.point: expected point and metric where the evidence is host twin"},
        Refused{"[[claim]]\nid = 'a'\nof = 'A1'\nsource = 's'\nsays = 't'\nevidence = 'guessed'\n"
                "command = 'run'\nvalue = '/x'\nat_least = 1\n",
                "claim.evidence: expected one of computed, predicted"}));

TEST(HeldBy, RefusesWhatIsNoFile) {
  EXPECT_THAT(parse_held_by("[held_by]\nA1 = 'x.cpp'\n", "h.toml"),
              ElementsAre(std::pair<const std::string, std::string>("A1", "x.cpp")));
  try {
    parse_held_by("[held_by]\nA1 = 3\n", "h.toml");
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("h.toml:2: held_by.A1: expected text in quotation marks"));
  }
}

}  // namespace
}  // namespace assay::model::claims
