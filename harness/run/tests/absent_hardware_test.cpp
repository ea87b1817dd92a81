// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/absent_hardware.hpp"

#include <gtest/gtest.h>

#include "harness/core/exit_code.hpp"
#include "harness/run/resume.hpp"

namespace assay::run {
namespace {

using machine::Hardware;

core::Case case_named(const std::string& name, const std::optional<std::string>& why_not) {
  core::Case one;
  one.name = name;
  one.unsupported = [why_not](const core::Point&) { return why_not; };
  return one;
}

TEST(AbsentHardware, IsWhatTheBackEndOfACaseNeeds) {
  EXPECT_EQ(needed_by("memory.cuda.read"), Hardware::gpu);
  EXPECT_EQ(needed_by("collectives.nccl.all_reduce"), Hardware::gpu);
  EXPECT_EQ(needed_by("collectives.assay_device.all_reduce"), Hardware::gpu);
  EXPECT_EQ(needed_by("rdma.verbs.latency"), Hardware::rdma);
  for (const char* name :
       {"memory.host.read", "collectives.mpi.all_reduce", "collectives.assay.all_reduce", "cuda", ""})
    EXPECT_EQ(needed_by(name), std::nullopt) << name;
}

TEST(AbsentHardware, KeepsOutOnlyWhatCannotRun) {
  const AbsentHardware absent(machine::Machine{});
  const core::Case cannot = case_named("memory.cuda.read", "no driver"),
                   simulated = case_named("memory.cuda.read", {}),
                   host = case_named("memory.host.read", "too little memory");
  EXPECT_EQ(absent.keeps_out({&cannot}), Hardware::gpu);
  EXPECT_EQ(absent.keeps_out({&simulated}), std::nullopt) << "a simulated GPU runs it";
  EXPECT_EQ(absent.keeps_out({&host}), std::nullopt);
  EXPECT_EQ(machine::to_text(absent.left_out({{&cannot}, {&cannot}, {&host}})),
            "no GPU: 2 points left out\n");
}

TEST(AbsentHardware, IsNotWhatNoDriverOffers) {
  machine::Machine machine;
  machine.unused_gpus = {"0000:1b:00.0"};
  EXPECT_FALSE(machine.lacks(Hardware::gpu));
  EXPECT_FALSE(machine.offers(Hardware::gpu));
  const AbsentHardware absent(machine);
  const core::Case cannot = case_named("memory.cuda.read", "no driver");
  EXPECT_EQ(absent.keeps_out({&cannot}), std::nullopt);
  EXPECT_EQ(absent.used_by("memory.cuda.read"), Hardware::gpu);
  EXPECT_EQ(absent.used_by("rdma.verbs.latency"), std::nullopt);
}

TEST(Tally, IsInconclusiveWhereHardwareThatIsThereWasNotMeasured) {
  Tally tally;
  tally.add(results::Status::ok);
  tally.add(results::Status::unsupported);
  EXPECT_EQ(tally.exit_code(), core::exit_code::pass);
  tally.add(results::Status::unsupported, Hardware::gpu);
  EXPECT_EQ(tally.exit_code(), core::exit_code::inconclusive);
  tally.add(results::Status::ok, Hardware::gpu);
  EXPECT_EQ(tally.exit_code(), core::exit_code::pass) << "one of its points was measured";
}

}  // namespace
}  // namespace assay::run
