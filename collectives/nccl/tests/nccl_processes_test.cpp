// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The program itself where NCCL or GPUs are missing, or differ between ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "collectives/nccl/nccl_back_end.hpp"
#include "collectives/tests/command.hpp"
#include "harness/machine/machine.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

const std::string program = "timeout -k 5 60 " ASSAY_BIN_DIR "/assay-collectives ";

TEST(NcclProcesses, WithoutAGpuLeaveTheirPointsOut) {
  if (!machine::look().lacks(machine::Hardware::gpu)) GTEST_SKIP() << "this host has a GPU";
  const Ended ended =
      run_command(program + "--ranks 2 --filter 'collectives.nccl.all_reduce/*' --axis bytes=8");
  EXPECT_EQ(ended.exit_code, 3) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("no GPU: 1 point left out\n"));
}

TEST(NcclProcesses, WithoutTheLibrarySayWhyInTheLoadersWords) {
  const auto say_why = [] {
    setenv("ASSAY_NCCL", "/nowhere/libnccl.so", 1);
    std::fputs(why_no_nccl().value_or("it is there").c_str(), stderr);
    std::exit(0);
  };
  EXPECT_EXIT(say_why(), testing::ExitedWithCode(0), "/nowhere/libnccl.so: cannot open shared object file");
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
