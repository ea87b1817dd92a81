// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay compare --populations`: exit codes, formats, places and mixes, and one line for input that cannot be
// used.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "harness/front/cli/tests/said.hpp"
#include "results/tests/population_store.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using tests::Said;

/// Clusters a and b that are equal, slow that takes 10 % longer, few of five hosts.
class ComparePopulations : public testing::Test {
 protected:
  ComparePopulations() {
    for (const auto& [name, us, hosts] :
         {std::tuple("a", 100.0, 8), {"b", 100.1, 8}, {"slow", 110.0, 8}, {"few", 100.2, 5}}) {
      results::test::PopulationStore store(name);
      store.add_hosts(hosts, us);
      store.write(folder_ / (std::string(name) + ".sqlite"));
      std::ofstream places(folder_ / (std::string(name) + ".csv"));
      places << "host,rack\n";
      for (int host = 0; host < hosts; ++host) places << name << host << ",r" << host / 2 << "\n";
    }
    std::ofstream(folder_ / "mix.toml") << "name = \"step\"\n[weights]\n\"*n=0\" = 1\n";
  }
  Said compare(const std::string& flags) {
    return tests::assay_in(folder_.path(), "compare --populations " + flags);
  }
  void expect_line(const std::string& flags, const std::string& line) {
    const Said said = compare(flags);
    EXPECT_EQ(said.exit_code, 2) << flags;
    EXPECT_THAT(said.text, HasSubstr(line)) << flags;
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
  }
  std::string file(const std::string& name) { return folder_ / name; }

 private:
  results::test::TemporaryFolder folder_;
};

TEST_F(ComparePopulations, EndsWithTheVerdictInEveryFormat) {
  EXPECT_EQ(compare("a.sqlite b.sqlite").exit_code, 0) << compare("a.sqlite b.sqlite").text;
  EXPECT_EQ(compare("a.sqlite slow.sqlite").exit_code, 1);
  EXPECT_EQ(compare("slow.sqlite a.sqlite").exit_code, 0);
  EXPECT_EQ(compare("a.sqlite few.sqlite").exit_code, 3);
  EXPECT_THAT(compare("a.sqlite few.sqlite").text, HasSubstr("at least 6 on each side"));
  EXPECT_THAT(compare("a.sqlite b.sqlite --format json").text, HasSubstr("\"command\": \"compare\""));
  EXPECT_THAT(compare("a.sqlite b.sqlite --format junit").text, HasSubstr("failures=\"0\" errors=\"0\""));
  EXPECT_THAT(compare("a.sqlite b.sqlite --format csv").text,
              HasSubstr("PASS,b.sqlite,population,all points,"));
}

TEST_F(ComparePopulations, WideTextHasTheColumnsThatAllRowsShare) {
  const Said text = compare("a.sqlite b.sqlite"), wide = compare("a.sqlite b.sqlite --wide");
  EXPECT_THAT(text.text, HasSubstr("\n\nEvery row: units 8 and 8 hosts, "));
  EXPECT_THAT(wide.text, testing::AllOf(testing::Not(HasSubstr("Every row")), HasSubstr("  units  ")));
  EXPECT_EQ(wide.exit_code, 0);
  expect_line("a.sqlite b.sqlite --wide --format csv", "--format excludes --wide");
}

TEST_F(ComparePopulations, WritesTheVerdictsWithTheRunsOfBothStores) {
  EXPECT_EQ(compare("a.sqlite b.sqlite --verdicts v.json").exit_code, 0);
  const std::string written = tests::text_of(file("v.json"));
  EXPECT_THAT(written, HasSubstr("a-a0-0"));
  EXPECT_THAT(written, HasSubstr("b-b7-1"));
}

TEST_F(ComparePopulations, TakesPlacesAndAMix) {
  const Said racks = compare("a.sqlite b.sqlite --places a.csv b.csv");
  EXPECT_EQ(racks.exit_code, 3);
  EXPECT_THAT(racks.text, HasSubstr("4 and 4 racks"));
  const Said mixed = compare("a.sqlite b.sqlite --mix mix.toml");
  EXPECT_EQ(mixed.exit_code, 0) << mixed.text;
  EXPECT_THAT(mixed.text, HasSubstr("Mix step (mix.toml): *n=0 1; equivalent"));
}

TEST_F(ComparePopulations, SaysInOneLineWhatItCannotUse) {
  expect_line("a.sqlite a.sqlite", "are one store");
  expect_line("a.sqlite none.sqlite", "none.sqlite: no such store");
  expect_line("a.sqlite mix.toml", "mix.toml");
  expect_line("a.sqlite b.sqlite --filter nothing", "a.sqlite: nothing was measured");
  expect_line("a.sqlite b.sqlite --mix none.toml", "none.toml");
  expect_line("a.sqlite b.sqlite --places a.csv none.csv", "none.csv: cannot be read");
  expect_line("a.sqlite b.sqlite --places a.csv a.csv", "does not know host 'b0'");
  expect_line("a.sqlite b.sqlite --margin 90%", "--margin 90%: expected a margin");
  expect_line("a.sqlite b.sqlite --store-of-b a.sqlite", "--populations: expected two stores");
}

TEST_F(ComparePopulations, AreWhatPlacesAndMixesAreFor) {
  const Said said = tests::assay_in(std::string(file("")), "compare a b --store a.sqlite --mix mix.toml");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr("expected with --populations only"));
}

/// A store cut short, with a byte changed, or of an older schema ends with neither PASS nor a crash.
TEST_F(ComparePopulations, NeverPassesADamagedStore) {
  const std::string whole = tests::text_of(file("b.sqlite"));
  for (std::size_t step = 1; step < 16; ++step) {
    std::string damaged = whole;
    const std::size_t at = whole.size() * step / 16;
    if (step % 2 == 0)
      damaged.resize(at);
    else
      damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
    std::ofstream(file("damaged.sqlite"), std::ios::binary) << damaged;
    const Said said = compare("a.sqlite damaged.sqlite");
    EXPECT_GE(said.exit_code, 1) << step;
    EXPECT_LE(said.exit_code, 3) << step << said.text;
  }
}

}  // namespace
}  // namespace assay::cli
