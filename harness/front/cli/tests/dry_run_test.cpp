// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `--dry-run` of run and burn-in: points and time by module, for this machine or for nodes with GPUs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "harness/core/tests/temporary_folder.hpp"
#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class DryRun : public testing::Test {
 protected:
  tests::Said said(const std::string& command) { return tests::assay_in(folder_.path(), command); }
  /// Points in the line "all ...".
  long points(const std::string& command) {
    const tests::Said all = said(command);
    std::smatch found;
    EXPECT_TRUE(std::regex_search(all.text, found, std::regex("\nall +([0-9]+) points, at most ")))
        << all.text;
    return found.empty() ? -1 : std::stol(found[1]);
  }

  core::tests::TemporaryFolder folder_;
};

TEST_F(DryRun, CountsPointsOfEachAssumedGpuAndMeasuresNothing) {
  const std::string run = "run --dry-run --filter memory.cuda.read --as ";
  const long of_one = points(run + "h100x1");
  EXPECT_GT(of_one, 0);
  EXPECT_EQ(points(run + "h100x8"), 8 * of_one);
  EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::path(folder_.path())));
}

TEST_F(DryRun, LeavesOutPairsThatNoMachineCanMeasure) {
  const tests::Said matrix = said(
      "run --plan full --dry-run --as h100x2 --filter 'offload.cuda.peer_copy' --axis from=0,1 --axis "
      "to=0,1");
  const tests::Said one_way = said(
      "run --plan full --dry-run --as h100x2 --filter 'offload.cuda.peer_copy' --axis from=0,1 --axis to=2");
  const auto seconds_of = [](const std::string& text) { return text.substr(text.rfind("at most ")); };
  EXPECT_EQ(seconds_of(matrix.text), seconds_of(one_way.text)) << matrix.text << one_way.text;
}

TEST_F(DryRun, OfABurnInTakesItsRoundsOrItsTimeAtMost) {
  EXPECT_THAT(said("burn-in --dry-run --as h100x8 --for 12h").text,
              EndsWith("\nrounds, none begun after 12 h 00 min, at most 12 h 00 min\n"));
  EXPECT_THAT(said("burn-in --dry-run --rounds 3 --for 12h").text, HasSubstr("3 rounds, none begun after"));
  EXPECT_THAT(said("burn-in --dry-run --dose joules=2e7").text,
              EndsWith("\nrounds, until every unit has its dose, at most unknown\n"));
}

TEST_F(DryRun, RefusesWhatNamesNoNode) {
  for (const char* node : {"h100", "x8", "h100x0", "h100x8x", "h100x-1", "h100x99999", "''"}) {
    const tests::Said refused = said(std::string("run --dry-run --as ") + node);
    EXPECT_EQ(refused.exit_code, 2) << node;
    EXPECT_THAT(refused.text, HasSubstr("--as")) << node;
  }
  EXPECT_EQ(said("run --as h100x8").exit_code, 2);
  EXPECT_EQ(said("run --dry-run --resume").exit_code, 2);
  EXPECT_EQ(said("run --dry-run --plan nosuch").exit_code, 2);
}

}  // namespace
}  // namespace assay::cli
