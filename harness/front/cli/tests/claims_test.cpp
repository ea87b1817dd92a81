// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "harness/core/tests/temporary_folder.hpp"
#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

tests::Said claims(const std::string& arguments) {
  return tests::assay_in(ASSAY_SOURCE_DIR, "claims " + arguments);
}

/// The records of an H100 that the project has, in a store. Empty without xz.
std::string reference_store(const core::tests::TemporaryFolder& folder) {
  if (std::system("xz --version >/dev/null 2>&1") != 0) return "";
  std::string journals;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(ASSAY_SOURCE_DIR) +
                                                               "/results/reference/h100-sxm-80gb")) {
    if (entry.path().extension() != ".xz") continue;
    journals += " " + folder.place(entry.path().stem());
    const std::string unpack = "xz -dc " + entry.path().string() + " >" + folder.place(entry.path().stem());
    if (std::system(unpack.c_str()) != 0) return "";
  }
  std::string store = folder.place("h100.sqlite");
  const tests::Said said = tests::assay_in(folder.path(), "import" + journals + " --store " + store);
  EXPECT_EQ(said.exit_code, 0) << said.text;
  return store;
}

/// Without what this host measured of itself, which is another number each time, and its verdict.
std::string without_own_measurements(const std::string& page) {
  static const std::regex found(R"(\| [^|]* (\| [^|]* \| host twin \|) [^|]* \|)");
  return std::regex_replace(page, found, "| $1");
}

constexpr const char* disagreeing = R"(host twin \| disagrees: not as expected)";
/// A metric that needs several threads to run at once is missing where the host was too busy for that.
constexpr const char* missing = R"( \| cannot be tested here, because no point )";

/// Ids of the rows of a table that contain `outcome`, a regular expression.
std::vector<std::string> rows_with(const std::string& outcome, const std::string& table) {
  const std::regex row(R"(\n\| ([^ |]+) \|[^\n]*)" + outcome);
  std::vector<std::string> ids;
  for (auto at = std::sregex_iterator(table.begin(), table.end(), row); at != std::sregex_iterator(); ++at)
    ids.push_back((*at)[1].str());
  return ids;
}

/// Rows that this host measured of itself, and that came out otherwise: it may have been busy.
std::vector<std::string> busy_rows(const std::string& table) {
  return rows_with("(?:" + std::string(disagreeing) + "|" + missing + ")", table);
}

/// Those that come out otherwise three times more, alone.
std::vector<std::string> busy_in_the_end(std::vector<std::string> ids) {
  for (int attempt = 0; attempt < 3 && !ids.empty(); ++attempt)
    ids = busy_rows(claims(fmt::format("{} --format markdown", fmt::join(ids, " "))).text);
  return ids;
}

std::size_t count_of(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Above the first table, or from the heading of the second on.
std::string table_in(const std::string& said) { return said.substr(said.find("\n| ") + 1); }

TEST(ClaimsCommand, ComeOutAsExpectedAndAsThePageShows) {
  const core::tests::TemporaryFolder folder;
  const std::string store = reference_store(folder);
  if (store.empty()) GTEST_SKIP() << "no xz to unpack the reference records";
  const std::string path = std::string(ASSAY_SOURCE_DIR) + "/docs/claims.md";
  const tests::Said said = claims("--summary --format markdown --store " + store);
  for (const char* part : {"because assay run ended", "this build has no protobuf"})
    if (said.text.find(part) != std::string::npos)
      GTEST_SKIP() << "this build lacks a module, or a part of it, that a row needs";
  const auto busy = busy_rows(said.text), wrong = rows_with(disagreeing, said.text);
  EXPECT_EQ(said.exit_code, wrong.empty() ? 3 : 1) << "only what nobody has measured is open\n" << said.text;
  EXPECT_EQ(count_of("not as expected", said.text), wrong.size());
  EXPECT_THAT(busy_in_the_end(busy), IsEmpty());
  const std::size_t open =
      count_of("cannot be tested here, because ", said.text) - rows_with(missing, said.text).size();
  EXPECT_EQ(count_of(": the store has no such point", said.text), open) << "only for want of hardware";
  if (!busy.empty()) GTEST_SKIP() << "this host was too busy to measure rows of the page by itself";
  const std::string page = tests::text_of(path);
  const std::string made = page.substr(0, page.find("\n| source |") + 1) + table_in(said.text);
  if (std::getenv("ASSAY_APPROVE") != nullptr) std::ofstream(path) << made;
  EXPECT_EQ(without_own_measurements(tests::text_of(path)), without_own_measurements(made));
}

TEST(ClaimsCommand, ScenariosOfFabricsComeOutAsExpected) {
  const tests::Said said = claims("--scenarios --format markdown");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  for (int scenario = 1; scenario <= 25; ++scenario)
    EXPECT_THAT(said.text, HasSubstr("\n| " + std::to_string(scenario) + " |")) << "each has a row";
}

TEST(ClaimsCommand, ScenariosAreRowsOfFabrics) {
  const tests::Said said = claims("--scenarios D25 pinning-step --format csv");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_EQ(count_of("\n", said.text), 2U) << "min-cut is none\n" << said.text;
  EXPECT_EQ(claims("--scenarios D25").text,
            "assay: claims: --scenarios: none of the rows that are named is one\n");
}

TEST(ClaimsCommand, TakesMeasuredRowsFromAStore) {
  const core::tests::TemporaryFolder folder;
  const std::string store = reference_store(folder);
  if (store.empty()) GTEST_SKIP() << "no xz to unpack the reference records";
  const tests::Said said = claims("host-link-down --format csv --store " + store);
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("measured, NVIDIA H100 80GB HBM3\",\"disagrees, by 45 %\""))
      << "100 GB/s are printed, PCIe has 64 at most";
  EXPECT_THAT(said.text, HasSubstr("assay run --modules offload")) << "what measures it";
}

TEST(ClaimsInAReport, AreThoseThatTheRunAnswersAndOnDemandTheComputedOnes) {
  const core::tests::TemporaryFolder folder;
  const std::string store = reference_store(folder), page = folder.place("report.html");
  if (store.empty()) GTEST_SKIP() << "no xz to unpack the reference records";
  const std::string report = "report --run h100 --store " + store + " -o " + page;
  ASSERT_EQ(tests::assay_in(ASSAY_SOURCE_DIR, report).exit_code, 0);
  const std::string html = tests::text_of(page);
  EXPECT_THAT(html, HasSubstr("Published claims, and what assay finds"));
  EXPECT_THAT(html, HasSubstr("host-link-down"));
  EXPECT_THAT(html, HasSubstr("measured, NVIDIA H100 80GB HBM3"));
  EXPECT_THAT(html, Not(HasSubstr("thin-slices"))) << "another run measured it";
  EXPECT_THAT(html, Not(HasSubstr("checkpoint-interval"))) << "computed";
  ASSERT_EQ(tests::assay_in(ASSAY_SOURCE_DIR, report + " --claims B15 mttf-16k").exit_code, 0);
  EXPECT_THAT(tests::text_of(page), HasSubstr("checkpoint-interval"));
  EXPECT_THAT(tests::text_of(page), HasSubstr("mttf-16k"));
  EXPECT_EQ(tests::assay_in(ASSAY_SOURCE_DIR, "report --fleet --claims all --store " + store).text,
            "assay: --claims are tested for the report of one run: expected no --fleet\n");
  EXPECT_THAT(tests::assay_in(ASSAY_SOURCE_DIR, report + " --claims Z9").text,
              HasSubstr("claims: no claim 'Z9'"));
}

TEST(ClaimsInAReport, AreAbsentWhereTheRunAnswersNone) {
  const core::tests::TemporaryFolder folder;
  const std::string store = reference_store(folder), page = folder.place("report.html");
  if (store.empty()) GTEST_SKIP() << "no xz to unpack the reference records";
  ASSERT_EQ(
      tests::assay_in(ASSAY_SOURCE_DIR, "report --run vector --store " + store + " -o " + page).exit_code, 0);
  EXPECT_THAT(tests::text_of(page), Not(HasSubstr("Published claims")));
}

TEST(ClaimsCommand, WithoutAStoreSayWhatMeasuredRowsNeed) {
  const tests::Said said = claims("C27 gpudirect");
  EXPECT_EQ(said.exit_code, 3) << said.text;
  EXPECT_THAT(said.text, HasSubstr("cannot be tested here, because it needs an H100"));
  EXPECT_THAT(said.text, HasSubstr("it needs two nodes with GPUs and RDMA adapters"));
  EXPECT_EQ(claims("--store /none").exit_code, 2);
}

TEST(ClaimsCommand, ShowsTheCommandsOfRowsThatAreNamed) {
  const tests::Said said = claims("D25 24k-cluster --format markdown");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("min-cut"));
  EXPECT_THAT(said.text, HasSubstr("assay fabric describe fabric/data-centre.toml"));
}

TEST(ClaimsCommand, JoinsCommandsAndReadsAFileThatTheLastOneWrites) {
  const tests::Said said = claims("bad-node-found small-messages --format csv");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("assay import fleet.jsonl --store SCRATCH/fleet.sqlite && assay accept"));
  EXPECT_THAT(said.text, HasSubstr("imported,agrees"));
}

TEST(ClaimsCommand, ListsEveryIdWithItsRowsAndItsTest) {
  const tests::Said said = claims("--list --format csv");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_EQ(count_of("\n", said.text), 93U) << "ids and a heading";
  EXPECT_THAT(said.text, HasSubstr("\nA7,spares,model/reliability/tests/losses_test.cpp\n"));
}

TEST(ClaimsCommand, RefusesWhatIsNoClaimAndNoFolder) {
  EXPECT_EQ(claims("Z9").text, "assay: claims: no claim 'Z9'\n");
  const tests::Said said = claims("--examples /none");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr("/none: no folder of examples"));
}

}  // namespace
}  // namespace assay::cli
