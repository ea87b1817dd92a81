// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/plan/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"

namespace assay::plan {
namespace {

using core::tests::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

core::Case case_named(const std::string& name) {
  core::Case benchmark;
  benchmark.name = name;
  benchmark.axes = {
      {"bytes", "footprint", core::Domain::sizes, {core::Value{std::int64_t{64}}}},
      {"store", "kind", core::Domain::words, {core::Value{"temporal"}}, {"temporal", "nontemporal"}}};
  return benchmark;
}

std::vector<core::Case> module() {
  std::vector<core::Case> cases{case_named("memory.host.copy"), case_named("memory.host.triad")};
  cases.push_back(case_named("memory.host.latency"));
  cases.back().axes.pop_back();
  return cases;
}

std::vector<std::string> expanded(const std::string& toml, const std::string& module_name = "memory") {
  const std::vector<core::Case> cases = module();
  std::vector<std::string> names;
  for (const PlannedPoint& point : expand(parse_plan(toml, "p.toml"), module_name, cases))
    names.push_back(point.benchmark->name + "/" + point.point.key());
  return names;
}

std::string complaint(const std::string& toml) {
  return message_of([&] { expanded(toml); });
}

TEST(Plan, OverridesAxesAndKeepsTheOrderOfThePlan) {
  EXPECT_THAT(expanded("[[sweep]]\ncases = 'memory.host.copy'\naxes = { bytes = ['1KiB:2KiB:x2'], store = "
                       "'nontemporal' }\n"
                       "[[sweep]]\ncases = ['memory.*.latency']\n"),
              ElementsAre("memory.host.copy/bytes=1024,store=nontemporal",
                          "memory.host.copy/bytes=2048,store=nontemporal", "memory.host.latency/bytes=64"));
}

TEST(Plan, AsksNothingOfCasesThatAreNotWanted) {
  std::vector<core::Case> cases = module();
  cases[1].axes[1].choices = {"streaming"};
  Plan plan = parse_plan("[[sweep]]\ncases = 'memory.*'\n", "p.toml");
  override_axis(plan, "store=nontemporal");
  EXPECT_EQ(message_of([&] { expand(plan, "memory", cases); }),
            "--axis: memory.host.triad: axis 'store': 'nontemporal' is not one of: streaming");
  const auto points =
      expand(plan, "memory", cases, [](const core::Case& one) { return one.name == "memory.host.copy"; });
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].point.key(), "bytes=64,store=nontemporal");
}

TEST(Plan, RunsAPointOnceHoweverOftenItIsNamed) {
  EXPECT_EQ(
      expanded("[[sweep]]\ncases = ['memory.*', 'memory.host.copy']\n[[sweep]]\ncases = 'memory.host.copy'\n")
          .size(),
      3U);
}

TEST(Plan, RunsWhatStandsForOthersOnce) {
  std::vector<core::Case> cases = module();
  cases[0].representative = [](const core::Point& point) {
    core::Point one = point;
    return point.integer("bytes") > 64 ? one.set("store", core::Value("temporal")) : one;
  };
  const Plan plan = parse_plan(
      "[[sweep]]\ncases = 'memory.host.copy'\naxes = { bytes = [64, 128], store = ['temporal', "
      "'nontemporal'] }\nrepetitions = 2\n",
      "p.toml");
  std::vector<std::string> keys;
  for (const PlannedPoint& planned : expand(plan, "memory", cases)) keys.push_back(planned.point.key());
  EXPECT_THAT(keys, ElementsAre("bytes=64,store=temporal", "bytes=64,store=temporal",
                                "bytes=64,store=nontemporal", "bytes=64,store=nontemporal",
                                "bytes=128,store=temporal", "bytes=128,store=temporal"));
}

TEST(Plan, CountsRepetitionsAsPointsOfTheirOwn) {
  EXPECT_EQ(expanded("[[sweep]]\ncases = 'memory.host.copy'\nrepetitions = 3\n").size(), 3U);
}

TEST(Plan, PassesOverSweepsOfOtherModules) {
  EXPECT_TRUE(expanded("[[sweep]]\ncases = 'gemm.host.*'\naxes = { m = 3 }\n").empty());
}

TEST(Plan, ASweepOwnMeasureOptionsGoOverThePlans) {
  const Plan plan = parse_plan(
      "[measure]\nmax_seconds = 2\nmin_samples = 10\n"
      "[[sweep]]\ncases = 'memory.*'\nmeasure = { max_seconds = 0.5 }\n",
      "p.toml");
  EXPECT_DOUBLE_EQ(plan.sweeps.at(0).measure.max_seconds, 0.5);
  EXPECT_EQ(plan.sweeps.at(0).measure.min_samples, 10);
}

TEST(Plan, EveryBuiltInPlanCanBeRead) {
  EXPECT_THAT(built_in_plans(), testing::IsSupersetOf({"quick", "full"}));
  for (const std::string& name : built_in_plans()) EXPECT_FALSE(read_plan(name).about.empty()) << name;
}

TEST(BadPlan, UnknownKeysAreNamedWithFileAndLine) {
  EXPECT_EQ(complaint("name = 'x'\n[[sweep]]\ncases = 'memory.*'\nrepeat = 3\n"),
            "p.toml:4: sweep.repeat: unknown key (expected cases, repetitions, measure, axes)");
  EXPECT_THAT(complaint("speed = 1\n[[sweep]]\ncases = 'memory.*'\n"),
              HasSubstr("p.toml:1: speed: unknown key"));
  EXPECT_THAT(complaint("[measure]\nseconds = 1\n[[sweep]]\ncases = 'memory.*'\n"),
              HasSubstr("p.toml:2: measure.seconds: unknown key (expected quantile"));
}

TEST(BadPlan, WrongTypesSayWhatWasExpected) {
  EXPECT_EQ(complaint("[measure]\nmax_seconds = 'long'\n[[sweep]]\ncases = 'memory.*'\n"),
            "p.toml:2: measure.max_seconds: expected a number above 0 and at most 604800");
  for (const char* value : {"inf", "nan", "-1", "0"})
    EXPECT_THAT(
        complaint("[measure]\nmax_seconds = " + std::string(value) + "\n[[sweep]]\ncases = 'memory.*'\n"),
        HasSubstr("p.toml:2: measure.max_seconds: expected a number above 0"))
        << value;
  EXPECT_THAT(complaint("[measure]\nconfidence = 95\n[[sweep]]\ncases = 'memory.*'\n"),
              HasSubstr("expected a number above 0 and below 1, got 95"));
  EXPECT_THAT(complaint("[[sweep]]\ncases = 1.5\n"),
              HasSubstr("sweep.cases: expected text, a whole number, or a list"));
  EXPECT_THAT(complaint("[[sweep]]\ncases = 'memory.*'\nrepetitions = 0\n"),
              HasSubstr("whole number from 1 to 1000000"));
  EXPECT_THAT(complaint("[measure]\nmin_samples = 10\nmax_samples = 5\n[[sweep]]\ncases = 'memory.*'\n"),
              HasSubstr("max_samples 5 is below min_samples 10"));
}

TEST(BadPlan, EmptySweepsAreRefused) {
  EXPECT_EQ(complaint("name = 'nothing'\n"), "p.toml: the plan has no [[sweep]]: there is nothing to run");
  EXPECT_EQ(complaint("[[sweep]]\nrepetitions = 2\n"),
            "p.toml:1: sweep.cases: missing: expected globs over names of cases");
  EXPECT_EQ(complaint("[[sweep]]\ncases = []\n"),
            "p.toml:2: sweep.cases: the list is empty: expected text, a whole number, or a list of them");
  EXPECT_EQ(
      complaint("[[sweep]]\ncases = 'memory.*'\naxes = { bytes = [] }\n"),
      "p.toml:3: sweep.axes.bytes: the list is empty: expected text, a whole number, or a list of them");
}

TEST(BadPlan, UnknownCasesAndAxesListWhatThereIs) {
  EXPECT_EQ(complaint("[[sweep]]\ncases = 'memory.host.cpy'\n"),
            "p.toml:1: no case is named 'memory.host.cpy' (there are: memory.host.copy memory.host.triad "
            "memory.host.latency)");
  EXPECT_EQ(complaint("[[sweep]]\ncases = 'memory.*'\naxes = { size = '64MiB' }\n"),
            "p.toml:1: no case of this sweep has an axis 'size' (there are: bytes store)");
  EXPECT_THAT(complaint("[[sweep]]\ncases = 'memory.*'\naxes = { bytes = '64Mb' }\n"),
              testing::StartsWith("p.toml:1: memory.host.copy: axis 'bytes': '64Mb' is not a size"));
  EXPECT_THAT(complaint("[[sweep]]\ncases = 'memory.*'\naxes = { bytes = '99999999TiB' }\n"),
              HasSubstr("larger than 2^63-1 bytes"));
}

TEST(Plan, HasThePointsOfCasesThatAreNotBuiltAndRefusesMisspeltOnes) {
  const std::vector<core::Case> built = module(), absent = core::absent(module(), "CUDA");
  const Plan whole = parse_plan("[[sweep]]\ncases = 'memory.*'\n", "p.toml");
  const std::vector<PlannedPoint> points = expand(whole, "memory", absent);
  EXPECT_EQ(points.size(), expand(whole, "memory", built).size());
  EXPECT_EQ(points.front().benchmark->not_built(points.front().point), "CUDA");
  const Plan misspelt = parse_plan("[[sweep]]\ncases = 'memory.host.cpy'\n", "p.toml");
  EXPECT_THAT(message_of([&] { expand(misspelt, "memory", absent); }),
              HasSubstr("p.toml:1: no case is named 'memory.host.cpy'"));
}

TEST(BadPlan, WhatIsNoTomlOrNoFileIsSaid) {
  EXPECT_THAT(complaint("[[sweep]\n"), HasSubstr("p.toml:1: not TOML"));
  EXPECT_THAT(message_of([] { read_plan("no/such/plan.toml"); }),
              HasSubstr("no such file, and no built-in plan"));
  EXPECT_EQ(message_of([] { read_plan("/dev/zero"); }), "/dev/zero: is a device; expected a plan in TOML");
}

}  // namespace
}  // namespace assay::plan
