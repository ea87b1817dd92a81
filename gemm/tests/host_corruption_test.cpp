// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The probe on the host: right products pass, a library that errs is found out, the self-test sees every
// flip.
#include "gemm/host/host_corruption.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "gemm/check/exact_product.hpp"
#include "gemm/tests/case_lists.hpp"
#include "harness/core/measure/measure.hpp"

namespace assay::gemm {
namespace {

using enum core::Verification::Result;
using testing::HasSubstr;

using Damage = std::function<void(const integrity::Elements& result, int product)>;

/// Gives the exact product and damages it.
class FaultyProduct final : public HostProduct {
 public:
  FaultyProduct(const Problem& problem, Damage damage)
      : problem_(problem), right_(exact_output(problem, 1)), damage_(std::move(damage)) {}
  void multiply(const workload::HostOperands& operands) override {
    std::memcpy(operands.c, right_.data(), right_.size());
    damage_(elements_of(problem_, operands.c), products_++);
  }
  std::string algorithm() const override { return "faulty"; }

 private:
  Problem problem_;
  std::vector<std::byte> right_;
  Damage damage_;
  int products_ = 0;
};

/// Writes nothing at all.
class IdleProduct final : public HostProduct {
 public:
  void multiply(const workload::HostOperands&) override {}
  std::string algorithm() const override { return "idle"; }
};

Request request(Dtype dtype) {
  return {.problem = {.m = 32, .n = 48, .k = 64, .dtype = dtype},
          .data = Data::integer,
          .cache = CacheState::hot};
}

core::Verification verdict_with(Dtype dtype, Damage damage, int products = 4) {
  const Request asked = request(dtype);
  host::CountedSite site;
  HostCorruption probe({asked, 1}, site, std::make_unique<FaultyProduct>(asked.problem, std::move(damage)));
  probe.enqueue(products);
  return probe.check();
}

TEST(HostCorruption, EveryCaseRunsAndVerifiesAtASmallPoint) {
  const machine::Machine machine = machine::look();
  for (const core::Case& one : host_corruption_cases(machine))
    for (const core::Point& swept : core::sweep(one.axes)) {
      core::Point point = swept;
      point.set("m", std::int64_t{32});
      if (one.unsupported(point)) continue;
      const auto trial = one.prepare(point);
      EXPECT_GT(trial->run(2).seconds, 0);
      const core::Verification verdict = trial->verify();
      EXPECT_EQ(verdict.result, right) << one.name << ' ' << point.key() << ": " << verdict.why;
      EXPECT_GE(trial->metrics({}).size(), 2u);
    }
}

TEST(HostCorruption, RightProductsHaveTheDigestOfTheExactOne) {
  const auto nothing = [](const integrity::Elements&, int) {};
  const core::Verification one = verdict_with(Dtype::bf16, nothing),
                           other = verdict_with(Dtype::bf16, nothing, 9);
  EXPECT_EQ(one.result, right);
  EXPECT_EQ(one.digest, other.digest);
  EXPECT_EQ(one.digest.size(), 32u);
}

TEST(HostCorruption, OneFlippedBitInOneProductIsFoundAndNamed) {
  for (const Dtype dtype : {Dtype::fp32, Dtype::bf16, Dtype::int8}) {
    const int bits = static_cast<int>(8 * element_bytes(request(dtype).problem.output()));
    for (int bit = 0; bit < bits; bit += 5) {
      const core::Verification verdict =
          verdict_with(dtype, [&](const integrity::Elements& result, int product) {
            if (product == 1) result.set(5 * 48 + 17, result.bits(5 * 48 + 17) ^ (std::uint64_t{1} << bit));
          });
      EXPECT_EQ(verdict.result, wrong) << to_string(dtype) << " bit " << bit;
      EXPECT_THAT(verdict.why,
                  HasSubstr("1 of 6144 elements of 4 products are wrong: first (5, 17): expected"));
    }
  }
}

TEST(HostCorruption, AFaultInTheLastProductIsLocatedByChecksumsToo) {
  const core::Verification verdict = verdict_with(
      Dtype::int8, [](const integrity::Elements& result, int) { result.set(49, result.bits(49) + 1024); });
  EXPECT_THAT(verdict.why, HasSubstr("checksums of the last product: element (1, 1) is too large by 1024"));
}

TEST(HostCorruption, AProductThatIsNotWrittenIsWrong) {
  host::CountedSite site;
  HostCorruption probe({request(Dtype::fp32), 1}, site, std::make_unique<IdleProduct>());
  probe.enqueue(2);
  EXPECT_THAT(probe.check().why, HasSubstr("3072 of 3072 elements of 2 products are wrong"));
}

TEST(HostCorruption, ThatNeverRanIsNotChecked) {
  host::CountedSite site;
  HostCorruption probe({request(Dtype::fp32), 1}, site, std::make_unique<IdleProduct>());
  EXPECT_EQ(probe.check().result, not_checked);
}

TEST(HostSelfTest, CatchesEveryFaultByBitsAndTellsWhatChecksumsMiss) {
  for (const Dtype dtype : {Dtype::fp32, Dtype::bf16, Dtype::fp16, Dtype::int8}) {
    Request asked = request(dtype);
    asked.problem.n = asked.problem.k = asked.problem.m;
    HostSelfTest test({asked, {.seed = 3, .each = 4}});
    test.enqueue(1);
    EXPECT_EQ(test.check().result, right) << test.check().why;
    const std::vector<core::Metric> metrics = test.metrics({});
    ASSERT_EQ(metrics.size(), 6u);
    const auto rate = [&](std::size_t detector) { return metrics[1 + detector].value; };
    EXPECT_EQ(rate(0), 100) << "bits";
    EXPECT_EQ(rate(1), 100) << "digest";
    EXPECT_GT(rate(2), 95) << "exact checksums miss the sign of zero alone";
    if (dtype == Dtype::int8) {
      EXPECT_EQ(rate(2), 100);
      EXPECT_EQ(rate(3), 100) << "whole numbers need no tolerance";
    } else {
      EXPECT_LT(rate(3), 100) << "a tolerance hides low bits of the mantissa";
      EXPECT_LT(rate(4), rate(3)) << "a look for NaN sees least";
    }
  }
}

TEST(HostSelfTest, PlantsOtherFaultsInEachIterationAndTheSameForTheSameSeed) {
  Request asked = request(Dtype::bf16);
  asked.problem.n = asked.problem.k = asked.problem.m;
  HostSelfTest one({asked, {.seed = 3, .each = 2}}), again({asked, {.seed = 3, .each = 2}});
  one.enqueue(2);
  again.enqueue(2);
  EXPECT_EQ(one.facts(), again.facts());
  EXPECT_EQ(one.metrics({}).at(0).value, 2 * 2 * (16 + 3));
}

TEST(ResultDetectors, SayNothingOfARightResult) {
  const Problem problem = request(Dtype::bf16).problem;
  std::vector<std::byte> output = exact_output(problem, 1);
  const integrity::Elements elements = elements_of(problem, output.data());
  const ResultDetectors detectors(problem, elements);
  const integrity::Fault none;
  const std::vector<bool> answers = detectors.ask(elements, none);
  EXPECT_EQ(answers, (std::vector<bool>{true, false, false, false, false})) << "bits: exactly no change";
}

}  // namespace
}  // namespace assay::gemm
