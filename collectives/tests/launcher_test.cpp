// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A whole run whose ranks mpirun starts, supervised by `assay run`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "collectives/mpi/mpi_transport.hpp"
#include "collectives/tests/command.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

constexpr const char* plan = R"(name = "launched"
[measure]
max_seconds = 0.05
max_warmup_seconds = 0.01
[[sweep]]
cases = ["collectives.assay.barrier", "collectives.mpi.barrier"]
)";

Ended run_with(const std::string& flags) {
  const std::string folder =
      testing::TempDir() + "assay_launched_" + testing::UnitTest::GetInstance()->current_test_info()->name();
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/plan.toml") << plan;
  return run_command(mpi_environment() + ASSAY_BIN_DIR "/assay run --plan " + folder + "/plan.toml --out " +
                     folder + "/runs " + flags);
}

TEST(Launcher, LocalStartsAsManyRanksAsAsked) {
  const Ended ended = run_with("--ranks 2");
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  const bool mpi = !mpi_not_built();
  EXPECT_THAT(ended.output,
              HasSubstr(mpi ? "[1/2] collectives.assay.barrier" : "[1/1] collectives.assay.barrier"));
  EXPECT_THAT(ended.output, HasSubstr(mpi ? "unsupported: no rank was started by MPI"
                                          : "built without MPI: 1 point left out"));
}

TEST(Launcher, MpirunStartsTheRanksOfAWholeRun) {
  if (!std::filesystem::exists(mpi_data_plugin_path())) GTEST_SKIP() << "this build has no MPI";
  if (run_command("command -v mpirun").exit_code != 0)
    GTEST_SKIP() << "mpirun is not installed (scripts/setup --for test)";
  const Ended ended = run_with("--launcher mpirun --ranks 3 --launcher-args=--oversubscribe");
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("2 ok, 0 unsupported"));
}

TEST(Launcher, ThatIsNoneEndsWithOneLine) {
  const Ended ended = run_with("--launcher ssh");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.output, HasSubstr("--launcher"));
}

}  // namespace
}  // namespace assay::collectives
