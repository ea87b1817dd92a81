// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/sensitivity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"
#include "model/predict/measured/coefficients.hpp"
#include "model/predict/measured/measured_law.hpp"
#include "model/predict/measured/measured_products.hpp"

namespace assay::model {
namespace {

using nlohmann::json;
using testing::HasSubstr;

SystemFile sample() {
  return SystemFile::read(std::string(ASSAY_SOURCE_DIR) + "/harness/front/cli/tests/predict/system.json");
}

SystemFile sample_with(const json& intervals) {
  json file = sample().json();
  file["intervals"] = intervals;
  return {file, "system.json"};
}

Question asked(const SystemFile& file) {
  const Application small{.hidden = 4096,
                          .feedforward = 16384,
                          .seq_size = 2048,
                          .attn_heads = 32,
                          .attn_size = 128,
                          .num_blocks = 16};
  return {.application = small,
          .system = file.system(),
          .processors = 16,
          .max_batch = 16,
          .datatype = Datatype::bfloat16};
}

SensitivityResult result_of(const SystemFile& file, const std::vector<Coefficient>& coefficients) {
  const Question question = asked(file);
  const SearchResult found = search(question, {.top = 1});
  return sensitivity(question, file, {.top = 1}, found.best.at(0), coefficients);
}

TEST(Coefficients, AreThoseOfTheDatatypeAtTheShareAroundTheirValues) {
  const auto all = coefficients(sample(), Datatype::bfloat16, 0.1);
  std::vector<std::string> keys;
  for (const Coefficient& of : all) keys.push_back(of.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"matrix.bfloat16.tflops", "vector.bfloat16.tflops", "mem1.GBps",
                                            "mem2.GBps", "networks[0].bandwidth", "networks[0].latency",
                                            "networks[0].processor_usage", "networks[1].bandwidth",
                                            "networks[1].latency", "networks[1].processor_usage"}));
  EXPECT_DOUBLE_EQ(all[0].low, 900);
  EXPECT_DOUBLE_EQ(all[0].high, 1100);
  EXPECT_FALSE(all[0].stated);
}

TEST(Coefficients, TakeTheIntervalsThatTheFileStatesAndWhateverElseItNames) {
  const SystemFile file =
      sample_with({{"mem1.GBps", {2950, 3010}}, {"matrix.bfloat16.gflops_efficiency[0][1]", {0.72, 0.76}}});
  const auto all = coefficients(file, Datatype::bfloat16, 0.1);
  ASSERT_EQ(all.size(), 11U);
  EXPECT_EQ(all[0].key, "matrix.bfloat16.gflops_efficiency[0][1]");
  EXPECT_TRUE(all[0].stated);
  EXPECT_EQ(all[1].key, "mem1.GBps");
  EXPECT_EQ(all[1].low, 2950);
  EXPECT_EQ(all[1].high, 3010);
}

TEST(Coefficients, WithoutASecondMemoryLeaveItsBandwidthOut) {
  SystemFile file = sample();
  file.set("mem2.GiB=0");
  for (const Coefficient& of : coefficients(file, Datatype::bfloat16, 0.1)) EXPECT_NE(of.key, "mem2.GBps");
}

TEST(Coefficients, OfALawOverRanksAreVariedByTheirIntervals) {
  Question question = asked(sample());
  fit::RankLaw law;
  law.operation = "all_reduce", law.shape = fit::rank_shape("all_reduce", "ring"), law.ranks = {2, 4};
  law.regimes = {{.from_bytes = 1,
                  .to_bytes = 1e9,
                  .rows = 9,
                  .step = {"alpha_us", 2, 1, 3},
                  .bandwidth = {"gb_per_s", 300, 200, 400},
                  .call = {"gamma_us", 0, 0, 0}}};
  Network& network = question.system.networks[0];
  set_law(std::make_shared<const MeasuredLaw>(MeasuredCollective::Origin{"net.json", "m", "m/x"},
                                              std::vector{law}),
          network.laws.emplace_back(CollectiveLaw{Collective::all_reduce, {}}));
  const auto found = measured_coefficients(question);
  ASSERT_EQ(found.size(), 2U);  // gamma has an interval without width
  EXPECT_EQ(found[0].key, "net.json: network 0 all_reduce over ranks gb_per_s");
  EXPECT_EQ(found[1].key, "net.json: network 0 all_reduce over ranks alpha_us");
  System there = question.system;
  found[1].move(there, End::high);
  EXPECT_NEAR(there.networks[0].seconds(Collective::all_reduce, 1e6, 8) -
                  network.seconds(Collective::all_reduce, 1e6, 8),
              14e-6, 1e-12);
}

TEST(Sensitivity, OfAnIntervalWithoutWidthIsNothing) {
  const SystemFile file = sample();
  const auto result = result_of(file, coefficients(file, Datatype::bfloat16, 0));
  for (const Sensitivity& of : result.coefficients)
    for (const AtEnd& end : {of.low, of.high}) {
      EXPECT_EQ(change(end, result.best), 0) << of.coefficient.key;
      EXPECT_TRUE(end.same_mapping);
      EXPECT_DOUBLE_EQ(end.kept_rate, result.best.sample_rate);
    }
}

TEST(Sensitivity, IsTheSearchOnTheChangedSystem) {
  const SystemFile file = sample();
  const auto result =
      result_of(file, {{.key = "networks[1].bandwidth", .value = 50, .low = 1, .high = 400, .stated = true}});
  SystemFile slow = file;
  slow.set("networks[1].bandwidth=1");
  const Candidate expected = search(asked(slow), {.top = 1}).best.at(0);
  const AtEnd& low = result.coefficients.at(0).low;
  ASSERT_TRUE(low.best.has_value());
  EXPECT_EQ(low.best->sample_rate, expected.sample_rate);
  EXPECT_FALSE(low.same_mapping);
  EXPECT_LT(low.kept_rate, low.best->sample_rate);  // another mapping needs the slow network less
  EXPECT_GE(change(result.coefficients[0].high, result.best), 0);
}

TEST(Sensitivity, TellsTheCoefficientThatMattersMostFirst) {
  const SystemFile file = sample();
  const auto result = result_of(file, coefficients(file, Datatype::bfloat16, 0.2));
  ASSERT_EQ(result.coefficients.size(), 10U);
  EXPECT_EQ(result.coefficients[0].coefficient.key, "matrix.bfloat16.tflops");
  EXPECT_LT(change(result.coefficients[0].low, result.best), 0);
  EXPECT_GT(change(result.coefficients[0].high, result.best), 0);
}

TEST(Sensitivity, WhereNothingFitsAtAnEndSaysSo) {
  const SystemFile file = sample();
  const auto result =
      result_of(file, {{.key = "mem1.GiB", .value = 80, .low = 0.001, .high = 80, .stated = true}});
  EXPECT_FALSE(result.coefficients.at(0).low.best.has_value());
  EXPECT_EQ(change(result.coefficients[0].low, result.best), -1);
  EXPECT_THAT(results::to_text(to_table(result)), HasSubstr("nothing fits"));
  EXPECT_TRUE(to_json(result)[0]["at_low"].is_null());
}

/// 20 us and 200 GB/s, 10 % to each side.
std::shared_ptr<const MeasuredCollective> measured_collective() {
  const fit::Segment segment{.from_bytes = 1,
                             .to_bytes = 1e12,
                             .latency_us = 20,
                             .us_per_byte = 1e-3 / 200,
                             .rows = 9,
                             .latency = {"latency_us", 20, 18, 22},
                             .bandwidth = {"gb_per_s", 200, 180, 220}};
  return std::make_shared<const MeasuredCollective>(
      MeasuredCollective::Origin{"net.json", "m", "m/x"},
      std::vector{MeasuredCollective::Algorithm{{segment},
                                                [segment](double bytes) { return segment.time_us(bytes); }}});
}

/// 4 us, 500 TFLOP/s (400 to 600), 2,000 GB/s (not varied).
std::shared_ptr<const MeasuredProducts> measured_products() {
  MeasuredProducts products{{"bf16", {}}, "gemm.json", "m"};
  products.model.coefficients = {
      {"launch_us", 4, 3, 5}, {"tflop_per_s", 500, 400, 600}, {"gb_per_s", 2000, 2000, 2000}};
  return std::make_shared<const MeasuredProducts>(products);
}

Question asked_with_measured_times(const SystemFile& file) {
  Question question = asked(file);
  question.model = Model::assay;
  set_products(measured_products(), question.system);
  for (const double members : {2.0, 3.0})
    for (const Collective operation :
         {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter})
      set_collective(measured_collective(), question.system.networks[0].curves.emplace_back(
                                                CollectiveCurve{operation, members, {}}));
  return question;
}

TEST(MeasuredCoefficients, AreTheIntervalsOfTheFilesThatSomeMappingCanUse) {
  const auto all = measured_coefficients(asked_with_measured_times(sample()));
  std::vector<std::string> keys;
  for (const Coefficient& of : all) keys.push_back(of.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"gemm.json: bf16 launch_us", "gemm.json: bf16 tflop_per_s",
                                            "net.json: network 0 all_reduce among 2 gb_per_s",
                                            "net.json: network 0 all_reduce among 2 latency_us",
                                            "net.json: network 0 all_gather among 2 gb_per_s",
                                            "net.json: network 0 all_gather among 2 latency_us",
                                            "net.json: network 0 reduce_scatter among 2 gb_per_s",
                                            "net.json: network 0 reduce_scatter among 2 latency_us"}));
  EXPECT_EQ(all[1].low, 400);
  EXPECT_EQ(all[1].high, 600);
  EXPECT_EQ(all[3].value, 20);
  EXPECT_TRUE(measured_coefficients(asked(sample())).empty());
}

TEST(MeasuredCoefficients, MoveTheTimesThatAreMadeOfThem) {
  const Question question = asked_with_measured_times(sample());
  const auto all = measured_coefficients(question);
  System slow = question.system, late = question.system;
  all[1].move(slow, End::low);
  all[3].move(late, End::high);
  EXPECT_NEAR(slow.matmul_s({1024, 1024, 1024}), 4e-6 + 2.0 * (1 << 30) / 400e12, 1e-12);
  EXPECT_NEAR(question.system.matmul_s({1024, 1024, 1024}), 4e-6 + 2.0 * (1 << 30) / 500e12, 1e-12);
  EXPECT_NEAR(late.networks[0].seconds(Collective::all_reduce, 2e6, 2), 32e-6, 1e-10);
  EXPECT_NEAR(late.networks[0].seconds(Collective::all_gather, 2e6, 2), 30e-6, 1e-10);
}

TEST(Sensitivity, VariesMeasuredTimesAndKeepsThemWhereTheSystemFileVaries) {
  const SystemFile file = sample();
  const Question question = asked_with_measured_times(file);
  const SearchResult found = search(question, {.top = 1});
  auto all = measured_coefficients(question);
  all.push_back({.key = "networks[1].latency", .value = 25e-6, .low = 25e-6, .high = 25e-6});
  const auto result = sensitivity(question, file, {.top = 1}, found.best.at(0), all);
  EXPECT_EQ(result.coefficients[0].coefficient.key, "gemm.json: bf16 tflop_per_s");
  EXPECT_LT(change(result.coefficients[0].low, result.best), -0.05);
  EXPECT_GT(change(result.coefficients[0].high, result.best), 0.05);
  EXPECT_EQ(to_json(result)[0]["interval"], "fitted");
  for (const Sensitivity& of : result.coefficients)
    if (of.coefficient.key == "networks[1].latency") {
      EXPECT_EQ(change(of.low, result.best), 0);
    }
}

struct RefusedInterval {
  const char* intervals;
  const char* says;
};

class RefusedIntervals : public testing::TestWithParam<RefusedInterval> {};

TEST_P(RefusedIntervals, AreToldWithFileAndKey) {
  try {
    coefficients(sample_with(core::json_from<json>(GetParam().intervals)), Datatype::bfloat16, 0.1);
    FAIL() << GetParam().intervals;
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, RefusedIntervals,
    testing::Values(
        RefusedInterval{"[1, 2]", "system.json: intervals: expected an object of KEY: [low, high]"},
        RefusedInterval{R"({"mem1.GBps": 3000})", "intervals.mem1.GBps: expected [low, high], got 3000"},
        RefusedInterval{R"({"mem1.GBps": [1, "x"]})", "expected [low, high]"},
        RefusedInterval{R"({"mem1.GBps": [3100, 3200]})", "holds the value 3000, got [3100,3200]"},
        RefusedInterval{R"({"mem1.GBps": [3200, 2900]})", "holds the value 3000"},
        RefusedInterval{R"({"mem3.GBps": [1, 2]})", "system.json: mem3.GBps: there is no such key"},
        RefusedInterval{R"({"processing_mode": [1, 2]})", "processing_mode: expected a number"}));

}  // namespace
}  // namespace assay::model
