// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The module's list, read without running anything.
#include "gemm/cases.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/core/error.hpp"

namespace assay::gemm {
namespace {

const machine::Machine& this_machine() {
  static const machine::Machine machine = machine::look();
  return machine;
}

core::Case find(const std::string& name) {
  for (core::Case& one : cases(this_machine()))
    if (one.name == name) return one;
  ADD_FAILURE() << name << " is not listed";
  return {};
}

TEST(Cases, HaveUniqueNamesAndSayWhatTheyMeasure) {
  std::set<std::string> names;
  for (const core::Case& one : cases(this_machine())) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_FALSE(one.measures.empty());
    const bool probe = one.name.find(".corruption") != std::string::npos;
    EXPECT_EQ(one.headline, probe ? core::Headline::time_us : core::Headline::tflops) << one.name;
  }
  EXPECT_TRUE(names.contains("gemm.host.matmul"));
  EXPECT_TRUE(names.contains("gemm.host.transformer"));
  EXPECT_TRUE(names.contains("gemm.host.attention"));
  EXPECT_TRUE(names.contains("gemm.host.corruption"));
  EXPECT_TRUE(names.contains("gemm.host.corruption_self_test"));
  for (const char* name : {"matmul", "transformer", "attention", "corruption", "corruption_self_test",
                           "node_matmul", "power_ramp"})
    EXPECT_TRUE(names.contains(std::string("gemm.cuda.") + name)) << name;
}

TEST(Cases, EveryPointDeclaresItsWorkOrSaysWhyThereIsNone) {
  for (const core::Case& one : cases(this_machine())) {
    if (one.name.ends_with("self_test")) continue;  // faults are its work
    for (const core::Point& point : core::sweep(one.axes)) {
      if (one.work(point).flops > 0) {
        EXPECT_EQ(one.derived(point).size(), 5u) << point.key();
      } else {
        EXPECT_TRUE(one.unsupported(point).has_value()) << point.key();
      }
    }
  }
}

TEST(Cases, TransformerPointDerivesItsSizes) {
  const core::Case one = find("gemm.host.transformer");
  core::Point point = core::sweep(one.axes).front();
  point.set("tp", std::int64_t{8}).set("gemm", "down").set("pass", "dgrad").set("model", "llama3-70b");
  const auto facts = one.derived(point);
  const std::vector<core::Fact> expected = {{"m", std::int64_t{256}},
                                            {"n", std::int64_t{3584}},
                                            {"k", std::int64_t{8192}},
                                            {"layout", std::string("NN")},
                                            {"output", std::string("bf16")}};
  EXPECT_EQ(facts, expected);
  EXPECT_DOUBLE_EQ(one.work(point).flops, 2.0 * 256 * 3584 * 8192);
}

TEST(Cases, AttentionPointsAreTheTwoProductsOfAllHeads) {
  const core::Case one = find("gemm.host.attention");
  core::Point point = core::sweep(one.axes).front();
  point.set("batch", std::int64_t{6}).set("seq", std::int64_t{256}).set("head", std::int64_t{64});
  point.set("dtype", "bf16").set("product", "scores");
  std::vector<core::Fact> expected = {{"m", std::int64_t{256}},
                                      {"n", std::int64_t{256}},
                                      {"k", std::int64_t{64}},
                                      {"layout", std::string("TN")},
                                      {"output", std::string("bf16")}};
  EXPECT_EQ(one.derived(point), expected);
  EXPECT_DOUBLE_EQ(one.work(point).flops, 2.0 * 6 * 256 * 256 * 64);
  EXPECT_DOUBLE_EQ(one.work(point).bytes, 2.0 * 6 * (2 * 256 * 64 + 256 * 256));
  point.set("product", "context");
  expected[1].second = std::int64_t{64}, expected[2].second = std::int64_t{256};
  expected[3].second = std::string("NN");
  EXPECT_EQ(one.derived(point), expected);
  EXPECT_DOUBLE_EQ(one.work(point).flops, 2.0 * 6 * 256 * 256 * 64);
}

TEST(Cases, AttentionWithoutASizeIsAUsageErrorNamingTheAxis) {
  const core::Case one = find("gemm.host.attention");
  for (const char* axis : {"batch", "seq", "head"}) try {
      core::Point point = core::sweep(one.axes).front();
      one.unsupported(point.set(axis, std::int64_t{0}));
      ADD_FAILURE() << axis << " = 0 was accepted";
    } catch (const core::Error& error) {
      EXPECT_EQ(error.what(), std::string(axis) + " = 0: expected 1 or more");
    }
  core::Point point = core::sweep(one.axes).front();
  EXPECT_THROW(one.work(point.set("product", "values")), core::Error);
}

TEST(Cases, DegreeThatDoesNotDivideTheModelIsUnsupportedNotAnError) {
  const core::Case one = find("gemm.host.transformer");
  core::Point point = core::sweep(one.axes).front();
  point.set("model", "gpt3-175b").set("tp", std::int64_t{64});
  EXPECT_EQ(one.unsupported(point).value(),
            "gpt3-175b has 96 attention heads, which 64 ranks cannot share evenly");
}

TEST(Cases, ZeroSizesFollowM) {
  const core::Case one = find("gemm.host.matmul");
  core::Point point = core::sweep(one.axes).front();
  point.set("m", std::int64_t{640});
  EXPECT_DOUBLE_EQ(one.work(point).flops, 2.0 * 640 * 640 * 640);
  point.set("m", std::int64_t{0});
  EXPECT_THROW(one.work(point), core::Error);
}

TEST(Cases, UnknownWordsAreUsageErrors) {
  const core::Case one = find("gemm.host.matmul");
  for (const char* axis : {"dtype", "layout", "data", "cache", "algorithm"}) {
    core::Point point = core::sweep(one.axes).front();
    point.set(axis, "nonsense");
    EXPECT_THROW(one.unsupported(point), core::Error) << axis;
  }
}

}  // namespace
}  // namespace assay::gemm
