// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/journal/absences.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/run/journal/resume.hpp"

namespace assay::run {
namespace {

using machine::Hardware;

core::Case case_named(const std::string& name, const std::optional<std::string>& why_not) {
  core::Case one;
  one.name = name;
  one.unsupported = [why_not](const core::Point&) { return why_not; };
  return one;
}

TEST(NeededHardware, IsWhatTheBackEndOfACaseNeeds) {
  EXPECT_EQ(needed_by("memory.cuda.read"), Hardware::gpu);
  EXPECT_EQ(needed_by("collectives.nccl.all_reduce"), Hardware::gpu);
  EXPECT_EQ(needed_by("collectives.assay_device.all_reduce"), Hardware::gpu);
  EXPECT_EQ(needed_by("rdma.verbs.latency"), Hardware::rdma);
  for (const char* name :
       {"memory.host.read", "collectives.mpi.all_reduce", "collectives.assay.all_reduce", "cuda", ""})
    EXPECT_EQ(needed_by(name), std::nullopt) << name;
}

TEST(Absences, KeepsOutOnlyWhatCannotRun) {
  const Absences absent(machine::Machine{});
  const core::Case cannot = case_named("memory.cuda.read", "no driver"),
                   simulated = case_named("memory.cuda.read", {}),
                   host = case_named("memory.host.read", "too little memory");
  EXPECT_EQ(absent.keeps_out({&cannot}), "no GPU");
  EXPECT_EQ(absent.keeps_out({&simulated}), std::nullopt) << "a simulated GPU runs it";
  EXPECT_EQ(absent.keeps_out({&host}), std::nullopt);
  EXPECT_EQ(machine::to_text(absent.left_out({{&cannot}, {&cannot}, {&host}})),
            "no GPU: 2 points left out\n");
}

TEST(Absences, IsNotWhatNoDriverOffers) {
  machine::Machine machine;
  machine.unused_gpus = {"0000:1b:00.0"};
  EXPECT_FALSE(machine.lacks(Hardware::gpu));
  EXPECT_FALSE(machine.offers(Hardware::gpu));
  const Absences absent(machine);
  const core::Case cannot = case_named("memory.cuda.read", "no driver"),
                   verbs = case_named("rdma.verbs.latency", "no adapter");
  EXPECT_EQ(absent.keeps_out({&cannot}), std::nullopt);
  EXPECT_EQ(absent.used_by({&cannot}), Hardware::gpu);
  EXPECT_EQ(absent.used_by({&verbs}), std::nullopt);
}

core::Case not_built_case(const std::string& name, const std::string& component) {
  core::Case one = case_named(name, {});
  one.work = [](const core::Point& point) {
    if (point.has("refused")) core::usage_error("refused: expected nothing");
    return core::Work{};
  };
  return core::absent({one}, component).front();
}

TEST(Absences, OfAComponentGoBeforeThoseOfHardware) {
  const core::Case cuda = not_built_case("memory.cuda.read", "CUDA"),
                   files = not_built_case("offload.host.save", "liburing");
  machine::Machine with_gpu;
  with_gpu.gpus.emplace_back();
  for (const Absences& absent : {Absences(machine::Machine{}), Absences(with_gpu), Absences()}) {
    EXPECT_EQ(absent.keeps_out({&cuda}), "built without CUDA");
    EXPECT_EQ(absent.used_by({&cuda}), std::nullopt) << "a GPU that this build cannot use is not unused";
    EXPECT_EQ(machine::to_text(absent.left_out({{&cuda}, {&files}, {&cuda}})),
              "built without CUDA: 2 points left out\nbuilt without liburing: 1 point left out\n");
  }
}

TEST(Absences, OfAComponentMayBeOfSomePointsOfACase) {
  core::Case products = case_named("gemm.host.matmul", {});
  products.not_built = [](const core::Point& point) {
    return point.text("dtype") == "fp64" ? std::optional<std::string>("BLAS") : std::nullopt;
  };
  const Absences absent;
  EXPECT_EQ(absent.keeps_out({&products, {{"dtype", "fp64"}}}), "built without BLAS");
  EXPECT_EQ(absent.keeps_out({&products, {{"dtype", "fp32"}}}), std::nullopt);
}

TEST(AbsentCase, RefusesTheWordsThatItsDeclarationRefuses) {
  const core::Case absent = not_built_case("memory.cuda.read", "CUDA");
  EXPECT_EQ(absent.unsupported({}), "built without CUDA");
  EXPECT_THROW(absent.unsupported({{"refused", 1}}), core::Error);
  EXPECT_THROW(absent.prepare({}), core::Error);
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
