// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The program itself where NCCL or GPUs are missing, or differ between ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "collectives/nccl/nccl_back_end.hpp"
#include "collectives/tests/command.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

const std::string program = "timeout -k 5 60 " ASSAY_BIN_DIR "/assay-collectives ";

TEST(NcclProcesses, WithoutAGpuSayWhyInTheDriversWords) {
  const auto why = why_no_nccl();
  if (!why) GTEST_SKIP() << "this host has NCCL and a GPU";
  const Ended ended =
      run_command(program + "--ranks 2 --filter 'collectives.nccl.all_reduce/*' --axis bytes=8");
  EXPECT_EQ(ended.exit_code, 3) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("unsupported: " + *why));
}

TEST(NcclProcesses, WithoutTheLibrarySayWhyInTheLoadersWords) {
  const Ended ended = run_command("ASSAY_NCCL=/nowhere/libnccl.so " + program +
                                  "--ranks 2 --filter 'collectives.nccl.barrier/*'");
  EXPECT_EQ(ended.exit_code, 3) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("unsupported: /nowhere/libnccl.so: cannot open shared object file"));
}

TEST(NcclProcesses, SayWhatIsIllegalBeforeAnythingElse) {
  const std::string plan = testing::TempDir() + "assay_nccl_plan.toml";
  std::ofstream(plan) << "[[sweep]]\ncases = [\"collectives.nccl.broadcast\"]\n"
                         "axes = { algorithm = \"tree\", bytes = 1024 }\n";
  const Ended ended = run_command(program + "--ranks 2 --plan " + plan);
  EXPECT_THAT(ended.output, HasSubstr("unsupported: NCCL has no tree for broadcast"));
}

TEST(NcclProcesses, OfDifferentVersionsEndWithOneLineNamingBoth) {
  const std::string here = nccl_version_here();
  if (here.empty()) GTEST_SKIP() << *why_no_nccl();
  const std::string ranks = "WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=29617 ";
  const std::string rest = program + "--filter '*nccl.barrier*'";
  const Ended ended =
      run_command("RANK=1 ASSAY_NCCL=" COLLECTIVES_OTHER_NCCL " " + ranks + rest +
                  " >/dev/null 2>&1 & RANK=0 " + ranks + rest + "; code=$?; wait; exit $code");
  EXPECT_NE(ended.exit_code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("NCCL"));
  EXPECT_THAT(ended.output, HasSubstr(here));
  EXPECT_THAT(ended.output, HasSubstr("2.20.3"));
}

}  // namespace
}  // namespace assay::collectives
