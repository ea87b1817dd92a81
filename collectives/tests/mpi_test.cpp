// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Real MPI processes on loopback: our algorithms over its point to point, and its own collectives as this
// module calls them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "collectives/mpi/mpi_operation.hpp"
#include "collectives/mpi/mpi_transport.hpp"
#include "collectives/tests/command.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

std::string why_no_mpi() {
  if (!std::filesystem::exists(mpi_data_plugin_path())) return "this build has no MPI";
  if (run_command("command -v mpirun").exit_code != 0)
    return "mpirun is not installed (scripts/setup --for test)";
  return "";
}

Ended mpirun(int ranks, const std::string& how = "") {
  return run_command(mpirun_command(ranks) + ASSAY_BIN_DIR "/collectives_mpi_member " + how + " </dev/null");
}

class Mpi : public testing::TestWithParam<int> {};

TEST_P(Mpi, RunsEveryAlgorithmAndItsOwnCollectivesRight) {
  if (const std::string why = why_no_mpi(); !why.empty()) GTEST_SKIP() << why;
  const Ended ended = mpirun(GetParam());
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  for (int rank = 0; rank < GetParam(); ++rank)
    EXPECT_THAT(ended.output, HasSubstr("rank " + std::to_string(rank) + " of " + std::to_string(GetParam()) +
                                        ": 162 runs of algorithms and 280 of MPI's own are right"));
}

INSTANTIATE_TEST_SUITE_P(Ranks, Mpi, testing::Values(2, 3, 5, 8));

TEST(Mpi, NamesTheRankThatKeepsAnotherWaiting) {
  if (const std::string why = why_no_mpi(); !why.empty()) GTEST_SKIP() << why;
  EXPECT_THAT(mpirun(2, "late").output, HasSubstr("rank 1 kept rank 0 waiting for 0.3 s"));
}

TEST(Mpi, IsNotThereInAProcessThatNoLauncherStarted) { EXPECT_EQ(mpi_data_calls(), nullptr); }

TEST(WhyNotMpi, SaysWhatMpiDefinesOtherwise) {
  EXPECT_EQ(why_not_mpi({.operation = Operation::broadcast, .ranks = 2, .count = 8}),
            "MPI_Bcast works in place only: in_place=1");
  EXPECT_THAT(why_not_mpi({.operation = Operation::reduce_scatter, .ranks = 2, .count = 8, .in_place = true}),
              HasSubstr("at the buffer's beginning"));
  EXPECT_EQ(why_not_mpi({.operation = Operation::all_to_all, .ranks = 3, .count = 8, .in_place = true}),
            "MPI_Alltoallv in place needs blocks of one size");
  EXPECT_EQ(why_not_mpi({.operation = Operation::all_reduce, .ranks = 2, .count = std::int64_t{1} << 31}),
            "MPI counts up to 2147483647 elements");
  EXPECT_EQ(why_not_mpi({.operation = Operation::all_reduce, .ranks = 2, .count = 8, .in_place = true}), "");
}

}  // namespace
}  // namespace assay::collectives
