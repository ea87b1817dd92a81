// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "harness/core/measure/measure.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/units.hpp"
#include "harness/workload/host_library.hpp"
#include "offload/interference/contest.hpp"
#include "offload/interference/interference_cases.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;
using core::tests::message_of;

Point small(const char* victim, const char* aggressor, std::int64_t threads = 1) {
  return {{"victim", Value(victim)},       {"aggressor", Value(aggressor)},
          {"threads", Value(threads)},     {"cap_gb_per_s", Value("unlimited")},
          {"bytes", Value(6 * core::mib)}, {"m", Value(std::int64_t{64})},
          {"dtype", Value("fp32")},        {"near", Value(std::int64_t{-1})},
          {"far", Value(std::int64_t{-1})}};
}

machine::Machine with_cpus(int count) {
  machine::Machine machine;
  machine.cpu.threads = count;
  return machine;
}

TEST(ContestMetrics, AreRatiosWithinASample) {
  // The machine slows down by half between the samples; the ratios do not see it.
  const auto metrics =
      contest_metrics({{.alone_s = 1, .beside_spin_s = 1.25, .beside_s = 2.5, .aggressor_gb_per_s = 8},
                       {.alone_s = 2, .beside_spin_s = 2.5, .beside_s = 5, .aggressor_gb_per_s = 4}});
  std::map<std::string, double> values;
  for (const core::Metric& metric : metrics) values[metric.name] = metric.value;
  EXPECT_DOUBLE_EQ(values["slowdown"], 2.5);
  EXPECT_DOUBLE_EQ(values["slowdown_of_spinning"], 1.25);
  EXPECT_DOUBLE_EQ(values["slowdown_beyond_spinning"], 2);
  EXPECT_DOUBLE_EQ(values["aggressor_gb_per_s"], 6);
  EXPECT_TRUE(contest_metrics({}).empty());
}

TEST(InterferenceCase, MeasuresNobodyOnce) {
  const auto stands_for = [](const Point& one, const Point& at) {
    return interference_cases({}).front().representative(at).key() == one.key();
  };
  EXPECT_TRUE(stands_for(small("gemm", "spin", 0), small("gemm", "copy", 0).set("cap_gb_per_s", Value("5"))));
  EXPECT_TRUE(stands_for(small("gemm", "copy"), small("gemm", "copy")));
}

TEST(InterferenceCase, SweepsEveryVictimAgainstEveryAggressor) {
  std::map<std::string, std::size_t> values;
  const core::Case interference = interference_cases({.machine = with_cpus(9)}).front();
  for (const core::Axis& axis : interference.axes) values[axis.name] = axis.values.size();
  EXPECT_EQ(values["victim"], 4U);
  EXPECT_EQ(values["aggressor"], 5U);
  EXPECT_EQ(values["threads"], 5U) << "0 1 2 4 8";
}

TEST(InterferenceCase, NamesWhatItCannotUse) {
  const auto message = [](const Point& point) { return message_of([&] { contest_settings(point); }); };
  EXPECT_EQ(message(small("spin", "gemm")), "victim 'spin': expected one of gemm, stream, copy, copy_back");
  EXPECT_EQ(message(small("gemm", "nccl")),
            "aggressor 'nccl': expected one of gemm, stream, copy, copy_back, spin");
  EXPECT_EQ(message(small("gemm", "spin", -1)), "threads=-1: expected 0 to 1048576");
  EXPECT_EQ(message(small("gemm", "copy").set("cap_gb_per_s", Value("0"))),
            "cap_gb_per_s=0: expected unlimited, or GB/s above 0");
  EXPECT_EQ(message(small("gemm", "copy").set("bytes", Value(std::int64_t{8}))),
            "bytes=8: expected 1048576 to 1125899906842624");
  EXPECT_EQ(message(small("gemm", "copy").set("m", Value(std::int64_t{0}))), "m=0: expected 1 to 65536");
}

TEST(InterferenceCase, SaysWhatThisMachineLacks) {
  const std::int64_t plenty = std::int64_t{1} << 40;
  EXPECT_EQ(cannot_contest(with_cpus(2), contest_settings(small("copy", "stream", 2)), plenty),
            "threads=2 and the victim need 3 CPUs, this process may use 2");
  EXPECT_EQ(cannot_contest(with_cpus(4), contest_settings(small("copy", "stream", 3)), 1000),
            "the memory of the victim and its aggressors needs 25165824 bytes and 1000 are available");
  machine::NumaNode only;
  machine::Machine one_node = with_cpus(2);
  one_node.numa = {only};
  EXPECT_EQ(cannot_contest(
                one_node, contest_settings(small("copy", "spin").set("far", Value(std::int64_t{5}))), plenty),
            "this machine has no NUMA node 5");
}

TEST(InterferenceCase, NeedsALibraryForProductsAlone) {
  const core::Case benchmark = interference_cases({}).front();
  EXPECT_EQ(benchmark.not_built(small("stream", "copy")), std::nullopt);
  EXPECT_EQ(benchmark.not_built(small("gemm", "copy")), workload::onednn().not_built());
  EXPECT_EQ(benchmark.not_built(small("copy", "gemm")), workload::onednn().not_built());
}

TEST(Loads, AreRightAndFindWhatIsNot) {
  const LoadSettings settings{.gemm_size = 64, .dtype = workload::Dtype::fp32, .bytes = 6 * core::mib};
  for (const std::string& word : all_victims()) {
    const LoadKind kind = load_from("victim", word);
    if (kind == LoadKind::gemm &&
        workload::onednn().unsupported({.m = 64, .n = 64, .k = 64, .dtype = settings.dtype}))
      continue;
    const auto load = make_load(kind, settings);
    EXPECT_EQ(load->wrong().has_value(), kind == LoadKind::gemm) << word << " that never ran";
    for (int i = 0; i < 20; ++i) load->quantum();
    EXPECT_EQ(load->wrong(), std::nullopt) << word;
  }
}

TEST(Contest, RunsEveryPairAndIsRight) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one CPU: none is left for an aggressor";
  for (const char* victim : {"stream", "copy", "copy_back"})
    for (const char* aggressor : {"stream", "copy", "spin"}) {
      Contest contest(contest_settings(small(victim, aggressor)));
      const ContestTimes times = contest.run();
      EXPECT_GT(times.alone_s, 0);
      EXPECT_GT(times.beside_spin_s, 0);
      EXPECT_GT(times.beside_s, 0);
      EXPECT_EQ(times.aggressor_gb_per_s > 0, std::string(aggressor) != "spin") << aggressor;
      EXPECT_EQ(contest.verify().result, core::Verification::Result::right) << contest.verify().why;
    }
}

TEST(Contest, KeepsTheAggressorBelowItsCap) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one CPU: none is left for an aggressor";
  Contest contest(contest_settings(small("stream", "copy").set("cap_gb_per_s", Value("0.5"))));
  // A quantum that was begun is ended, and counted, after the victim stopped.
  EXPECT_LT(contest.run().aggressor_gb_per_s, 0.75);
}

TEST(Contest, WithNobodyIsAControl) {
  Contest contest(contest_settings(small("copy", "spin", 0)));
  const ContestTimes times = contest.run();
  EXPECT_EQ(times.aggressor_gb_per_s, 0);
  EXPECT_GT(times.beside_s, 0);
}

}  // namespace
}  // namespace assay::offload
