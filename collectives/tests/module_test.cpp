// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The program itself, on ranks that it starts, on ranks of torchrun-style variables, and under mpirun.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "collectives/mpi/mpi_transport.hpp"
#include "collectives/tests/command.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string program = ASSAY_BIN_DIR "/assay-collectives";

std::string file_with(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + std::to_string(getpid()) + name;
  std::ofstream(path) << text;
  return path;
}

/// Every case of the module that matches, measured as briefly as can be.
std::string brief_plan(const std::string& cases) {
  return file_with(
      "assay_brief_plan.toml",
      "[measure]\nmax_seconds = 0.05\nmax_warmup_seconds = 0.01\n[[sweep]]\ncases = [\"" + cases + "\"]\n");
}

TEST(Module, StartsItsOwnRanksAndMeasuresEveryOperation) {
  const std::string matrix = file_with("assay_matrix.txt", "0 8 8\n100 0 1\n5 5 5\n");
  const Ended ended = run_command(program + " --ranks 3 --plan " + brief_plan("collectives.assay.*") +
                                  " --axis bytes=1200 --traffic-matrix " + matrix);
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("[27/27]"));
  EXPECT_THAT(ended.output, Not(HasSubstr("unsupported")));
  EXPECT_THAT(ended.output, Not(HasSubstr("failed")));
}

TEST(Module, RunsStepsOfPresetsAndOfAFile) {
  const std::string step = file_with("assay_step_" + std::to_string(getpid()) + ".toml",
                                     "ranks = 3\n[[stream]]\n[[stream.op]]\ncompute_us = 500\n[[stream.op]]\n"
                                     "collective = 'all_reduce'\ngroups = '0+2'\nbytes = '4KiB'\n");
  const Ended ended =
      run_command(program + " --ranks 3 --plan " + brief_plan("collectives.workload.*") +
                  " --filter '*.preset' --filter '*.file' --axis layers=1 --workload " + step);
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("[6/6] collectives.workload.file"));
  EXPECT_THAT(ended.output, Not(HasSubstr("unsupported")));
  EXPECT_THAT(ended.output, Not(HasSubstr("failed")));
}

TEST(Module, WeightsTheSizesOfPublishedModels) {
  const std::string journal = file_with("assay_histogram_" + std::to_string(getpid()) + ".jsonl", "");
  std::filesystem::remove(journal);
  const Ended ended =
      run_command(program + " --ranks 4 --plan " + brief_plan("collectives.workload.histogram") +
                  " --axis ranks=all,2 --axis shrink=16 --journal " + journal);
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("[4/4] collectives.workload.histogram"));
  std::stringstream records;
  records << std::ifstream(journal).rdbuf();
  EXPECT_THAT(records.str(), HasSubstr("\"name\":\"busbw_gb_per_s\""));
  EXPECT_THAT(records.str(),
              testing::ContainsRegex("busbw_by_size\":\"all_gather [0-9.]+.iB: .* 64 times; reduce_scatter"));
  EXPECT_THAT(records.str(), Not(HasSubstr("\"result\":\"wrong\"")));
}

/// The digest of a training step's only point.
std::string trained_digest(int ranks) {
  const std::string journal = file_with("assay_training_" + std::to_string(getpid()) + ".jsonl", "");
  std::filesystem::remove(journal);
  const Ended ended = run_command(program + " --ranks " + std::to_string(ranks) + " --plan " +
                                  brief_plan("collectives.training.step") +
                                  " --axis dtype=fp32 --axis hidden=64 --journal " + journal);
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  std::stringstream records;
  records << std::ifstream(journal).rdbuf();
  EXPECT_THAT(records.str(), HasSubstr("\"result\":\"right\"")) << ended.output;
  EXPECT_THAT(records.str(), HasSubstr("\"name\":\"tokens_per_s\""));
  const std::string text = records.str(), key = "\"digest\":\"";
  const std::size_t at = text.find(key);
  return at == std::string::npos ? "" : text.substr(at + key.size(), 32);
}

TEST(Module, TrainsOnOneAndOnFourRanksWithTheSameDigestEachTime) {
  std::string digest_of_one;
  for (const int ranks : {1, 4}) {
    const std::string digest = trained_digest(ranks);
    EXPECT_EQ(digest.find_first_not_of("0123456789abcdef"), std::string::npos) << digest;
    EXPECT_EQ(digest.size(), 32U);
    EXPECT_EQ(trained_digest(ranks), digest);
    EXPECT_NE(digest, digest_of_one);
    digest_of_one = digest;
  }
}

TEST(Module, EndsWithOneLineForAStepOfOtherRanks) {
  const std::string step = file_with("assay_step_2_" + std::to_string(getpid()) + ".toml",
                                     "ranks = 2\n[[stream]]\n[[stream.op]]\ncompute_us = 500\n");
  const Ended ended = run_command(program + " --ranks 3 --filter '*workload.file*' --workload " + step);
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.output, HasSubstr("the workload is of 2 ranks, but 3 run: start as many\n"));
}

TEST(Module, OfOneRankNeedsNoOther) {
  const Ended ended =
      run_command(program + " --ranks 1 --filter '*assay.all_reduce/algorithm=ring*' --axis bytes=8");
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
}

TEST(Module, SaysThatMpiDidNotStartIt) {
  const Ended ended = run_command(program + " --ranks 2 --filter '*.mpi.barrier'");
  EXPECT_THAT(ended.output,
              HasSubstr(mpi_not_built()
                            ? "built without MPI: 1 point left out"
                            : "unsupported: no rank was started by MPI: run mpirun -n N assay-collectives"));
  EXPECT_EQ(ended.exit_code, 3) << ended.output;
}

TEST(Module, EndsWithOneLineForAMatrixOfOtherRanks) {
  const std::string matrix = file_with("assay_matrix_2.txt", "0 8\n100 0\n");
  const Ended ended = run_command(program + " --ranks 3 --filter '*to_all_v*' --traffic-matrix " + matrix);
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.output, HasSubstr("the traffic matrix is of 2 ranks, but 3 run: give one of 3 rows\n"));
}

TEST(Module, EndsWithOneLineForAMatrixThatCannotBeRead) {
  const Ended ended = run_command(program + " --ranks 3 --traffic-matrix /nowhere/matrix");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.output, HasSubstr("/nowhere/matrix: cannot be read; expected a traffic matrix file\n"));
}

TEST(Module, EndsWithOneLineForARootThatIsNoRank) {
  const Ended ended = run_command(program + " --ranks 3 --filter '*assay.broadcast*' --axis root=3");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.output, HasSubstr("root=3: expected a rank, 0 to 2\n"));
}

TEST(Module, MeasuresUnderMpirun) {
  if (!std::filesystem::exists(mpi_data_plugin_path())) GTEST_SKIP() << "this build has no MPI";
  if (run_command("command -v mpirun").exit_code != 0)
    GTEST_SKIP() << "mpirun is not installed (scripts/setup --for test)";
  const Ended ended = run_command(mpirun_command(3) + program + " --plan " + brief_plan("*.mpi.*") +
                                  " --axis bytes=1200 </dev/null");
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("[11/11] collectives.mpi.barrier"));
  EXPECT_THAT(ended.output, Not(HasSubstr("failed")));
}

}  // namespace
}  // namespace assay::collectives
