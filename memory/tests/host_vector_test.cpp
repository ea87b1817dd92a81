// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// memory.host.vector as a plan sees it, and its loops on every instruction set.
#include "memory/host/host_vector.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "harness/core/error.hpp"
#include "memory/tests/cases_named.hpp"
#include "memory/tests/only_arena.hpp"

namespace assay::memory {
namespace {

using enum core::Verification::Result;
using testing::HasSubstr;

core::Case vector_case() { return tests::cases_named("memory.host.vector").front(); }

core::Point small_vector(std::string_view kernel, const char* dtype) {
  core::Point point = core::sweep(vector_case().axes).front();
  return point.set("kernel", std::string(kernel))
      .set("dtype", dtype)
      .set("elements", std::int64_t{16 * 4096})
      .set("threads", std::int64_t{1})
      .set("numa", std::int64_t{-1});
}

TEST(HostVector, IsWithinTheBoundOfTheFormulaAfterManyIterations) {
  for (const std::string_view kernel : core::vector_kernel_names)
    for (const char* dtype : {"fp32", "bf16"}) {
      const auto trial = vector_case().prepare(small_vector(kernel, dtype));
      EXPECT_EQ(trial->verify().result, not_checked);
      for (const std::int64_t iterations : {1, 2, 500}) {
        EXPECT_GT(trial->run(iterations).seconds, 0);
        const core::Verification verdict = trial->verify();
        EXPECT_EQ(verdict.result, right) << kernel << " " << dtype << ": " << verdict.why;
      }
      EXPECT_EQ(trial->verify().why, "16 of 16 rows are within the bound of the formula");
    }
}

/// Begins with the array that a kernel writes: behind the input, four bytes an element, and 17 cache lines.
std::span<std::byte> written() { return tests::only_arena().subspan(16 * 4096 * 4 + 17 * 64); }

TEST(HostVector, FindsOneFlippedBitOfAnExponentAndOneNan) {
  for (const std::string_view kernel : core::vector_kernel_names) {
    const auto trial = vector_case().prepare(small_vector(kernel, "fp32"));
    trial->run(1);
    std::byte& high = written()[4 * 777 + 3];
    const std::byte before = high;
    high ^= std::byte{0x10};
    EXPECT_EQ(trial->verify().result, wrong) << kernel;
    EXPECT_THAT(trial->verify().why, HasSubstr(" 777 is ")) << kernel;
    high = before;
    EXPECT_EQ(trial->verify().result, right) << kernel;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(&written()[4 * 5], &nan, sizeof nan);
    EXPECT_EQ(trial->verify().result, wrong) << kernel;
  }
}

TEST(HostVector, CountsEachArrayOnce) {
  const double n = 16 * 4096;
  EXPECT_EQ(vector_case().work(small_vector("gelu", "fp32")).bytes, 8 * n);
  EXPECT_EQ(vector_case().work(small_vector("softmax", "bf16")).bytes, 4 * n);
  EXPECT_EQ(vector_case().work(small_vector("residual_add", "bf16")).bytes, 6 * n);
  EXPECT_EQ(vector_case().work(small_vector("adam", "bf16")).bytes, 26 * n);
}

/// Roundings repeat themselves where a parameter has converged.
TEST(HostVector, IsWithinTheBoundWhenAdamHasConverged) {
  const auto trial = vector_case().prepare(small_vector("adam", "fp32").set("elements", std::int64_t{4096}));
  trial->run(20'000);
  const core::Verification verdict = trial->verify();
  EXPECT_EQ(verdict.result, right) << verdict.why;
}

TEST(HostVector, ReportsItsTensorAndItsFlops) {
  EXPECT_THAT(vector_case().derived(small_vector("adam", "bf16")),
              testing::Contains(core::Fact("tensor_bytes", std::int64_t{2 * 16 * 4096})));
  core::Measurement measurement;
  measurement.interval = {.estimate = 1e-3, .lower = 0.5e-3, .upper = 2e-3};
  const auto metrics =
      vector_metrics({.kernel = VectorKernel::softmax, .rows = 1000, .columns = 1000}, measurement);
  ASSERT_EQ(metrics.size(), 1U);
  EXPECT_EQ(metrics[0].name, "gflop_per_s");
  EXPECT_DOUBLE_EQ(metrics[0].value, 5);
  EXPECT_DOUBLE_EQ(metrics[0].lower.value(), 2.5);
  EXPECT_DOUBLE_EQ(metrics[0].upper.value(), 10);
}

/// One part in 2^15 of the largest result: more than 64 roundings of an element kernel.
TEST(WrongInRow, AllowsAnElementKernelNoRowsRoundings) {
  for (const VectorKernel kernel : {VectorKernel::gelu, VectorKernel::residual_add, VectorKernel::dropout}) {
    const VectorProblem problem{.kernel = kernel, .rows = 1, .columns = 4096};
    std::vector<float> x(4096), r(4096), y(4096);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = vector_input(static_cast<std::int64_t>(i), 0);
      r[i] = vector_input(static_cast<std::int64_t>(i), 1);
    }
    const VectorPart part{.x = x.data(), .r = r.data(), .y = y.data(), .rows = 1, .columns = 4096};
    vector_loops().front()->run(kernel, VectorType::fp32, part);
    ASSERT_EQ(wrong_in_row(problem, part, 1), std::nullopt) << problem.name();
    y[4095] += 0x1p-14F;
    EXPECT_THAT(wrong_in_row(problem, part, 1).value_or(""), HasSubstr("element 4095 is ")) << problem.name();
  }
}

TEST(HostVector, RefusesWhatAreNoWholeRows) {
  const auto refusal = [](core::Point point) -> std::string {
    try {
      vector_case().work(point);
    } catch (const core::Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(refusal(small_vector("gelu", "fp32").set("elements", std::int64_t{4097})),
            "elements=4097: expected whole rows, a multiple of columns=4096, at most 2^40");
  for (const std::int64_t elements : {std::int64_t{0}, std::int64_t{-4096}, std::int64_t{1} << 60})
    EXPECT_THAT(refusal(small_vector("adam", "fp32").set("elements", elements)), HasSubstr("at most 2^40"));
  EXPECT_EQ(refusal(small_vector("gelu", "fp32").set("columns", std::int64_t{24})),
            "columns=24: expected a multiple of 16, 16 to 65536");
  EXPECT_THAT(vector_case()
                  .unsupported(small_vector("gelu", "fp32")
                                   .set("columns", std::int64_t{65536})
                                   .set("threads", std::int64_t{2}))
                  .value_or(""),
              HasSubstr("1 rows do not give each of 2 threads one"));
}

TEST(VectorLoops, OfEveryInstructionSetAreWithinTheBound) {
  constexpr std::int64_t columns = 528;
  std::vector<float> x(columns), r(columns), y(columns), p(columns), m(columns), v(columns);
  for (const VectorLoops* loops : vector_loops())
    for (std::size_t kernel = 0; kernel < vector_formulas.size(); ++kernel) {
      const VectorProblem problem{static_cast<VectorKernel>(kernel), VectorType::fp32, 1, columns};
      for (std::size_t i = 0; i < x.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        x[i] = vector_input(at, 0), r[i] = vector_input(at, 1), p[i] = vector_input(at, 2);
        m[i] = v[i] = 0;
      }
      const VectorPart part{.x = x.data(),
                            .r = r.data(),
                            .y = y.data(),
                            .p = p.data(),
                            .m = m.data(),
                            .v = v.data(),
                            .rows = 1,
                            .columns = columns,
                            .first = 0,
                            .correction1 = adam_correction(adam_beta1, 1),
                            .correction2 = adam_correction(adam_beta2, 1)};
      loops->run(problem.kernel, problem.type, part);
      EXPECT_EQ(wrong_in_row(problem, part, 1), std::nullopt) << loops->name << " " << problem.name();
    }
}

TEST(RowsToCompare, AreSpreadAndHoldTheLast) {
  const auto rows = rows_to_compare({.rows = 10000, .columns = 4096});
  EXPECT_EQ(rows.front(), 0);
  EXPECT_EQ(rows.back(), 9999);
  EXPECT_THAT(rows.size(), testing::AllOf(testing::Gt(1000U), testing::Lt(2000U)));
}

}  // namespace
}  // namespace assay::memory
