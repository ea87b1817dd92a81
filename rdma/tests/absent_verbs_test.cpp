// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A build without libibverbs: cases, and the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/core/process/exit_code.hpp"
#include "harness/core/tests/run_command.hpp"
#include "rdma/cases.hpp"

namespace assay::rdma {
namespace {

using core::tests::Ended;
using testing::HasSubstr;

Ended assay_rdma(const std::string& arguments, const std::string& environment = "") {
  return core::tests::run_command(environment + " " ASSAY_BIN_DIR "/assay-rdma " + arguments);
}

TEST(AbsentVerbs, AreWhyNoPointRuns) {
  machine::Machine machine;
  machine.hcas.emplace_back();
  const auto all = declared_cases(machine, 2);
  EXPECT_EQ(all.size(), 15U);
  for (const core::Case& absent : all)
    for (const core::Point& point : core::sweep(absent.axes))
      EXPECT_EQ(absent.unsupported(point), "built without libibverbs") << absent.name;
}

TEST(AbsentVerbs, LeavePointsOutAndCallNoHost) {
  constexpr const char* nobody = "127.0.0.1:1";
  const Ended ended = assay_rdma(std::string(nobody) + " --filter 'rdma.verbs.bisection*'");
  EXPECT_EQ(ended.exit_code, core::exit_code::inconclusive) << "nothing was measured";
  EXPECT_THAT(ended.output, HasSubstr("built without libibverbs: 1 point left out"));
  EXPECT_THAT(ended.output, testing::Not(HasSubstr(nobody)));
}

TEST(AbsentVerbs, ServeNobody) {
  const Ended ended = assay_rdma("serve --open");
  EXPECT_EQ(ended.exit_code, core::exit_code::usage);
  EXPECT_EQ(ended.output, "assay-rdma serve: this build has no libibverbs\n");
}

TEST(AbsentVerbs, LeaveFurtherRanksOfALauncherNothingToDo) {
  const Ended ended = assay_rdma("", "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2");
  EXPECT_EQ(ended.exit_code, core::exit_code::pass);
  EXPECT_EQ(ended.output, "");
}

TEST(AbsentVerbs, AreNotNeededForEntropy) {
  EXPECT_EQ(assay_rdma("entropy --qps 0x11a:0x2c4 --brief").exit_code, core::exit_code::pass);
}

}  // namespace
}  // namespace assay::rdma
