// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/pipeline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <thread>

#include "harness/core/error.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/process/stop_request.hpp"
#include "harness/core/tests/interval_timer.hpp"
#include "harness/core/tests/message_of.hpp"
#include "offload/pipeline/element_check.hpp"
#include "offload/pipeline/pipeline_cases.hpp"
#include "offload/pipeline/step_metrics.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;
using core::tests::message_of;

Point tiny(const std::string& cap = "unlimited") {
  return {{"model", Value("llama3-8b")},      {"shrink", Value(std::int64_t{32})},
          {"tp", Value(std::int64_t{1})},     {"tokens", Value(std::int64_t{8})},
          {"dtype", Value("fp32")},           {"pass", Value("forward")},
          {"blocks", Value(std::int64_t{5})}, {"resident", Value(std::int64_t{2})},
          {"cap_gb_per_s", Value(cap)},       {"compute_threads", Value(std::int64_t{1})},
          {"near", Value(std::int64_t{-1})},  {"far", Value(std::int64_t{-1})}};
}

Point with(const char* axis, std::int64_t value) { return tiny().set(axis, Value(value)); }

machine::Machine two_cpus() {
  machine::Machine machine;
  machine.cpu.threads = 2;
  return machine;
}

machine::NumaNode node(int id) {
  machine::NumaNode one;
  one.id = id;
  return one;
}

std::int64_t plenty(int) { return std::int64_t{1} << 40; }

TEST(Block, CountsWhatEveryBlockMoves) {
  // hidden 128, 1 head of 128, 1 kv head, feed-forward 448, gated: 128 x (384 + 128 + 896 + 448) weights.
  const Block block = pipeline_settings(tiny()).block;
  EXPECT_EQ(block.fetched_bytes, 4 * 128 * (384 + 128 + 896 + 448));
  EXPECT_EQ(block.written_bytes, 4 * 8 * (384 + 128 + 896 + 128));
  EXPECT_EQ(block.flops, 2.0 * 8 * 128 * (384 + 128 + 896 + 448));
  EXPECT_EQ(block.products.size(), 4U);
}

TEST(Block, OfABackwardPassFetchesWhatTheForwardPassWroteAndComputesTwiceAsMuch) {
  const Block forward = pipeline_settings(tiny()).block;
  const Block backward = pipeline_settings(tiny().set("pass", Value("backward"))).block;
  EXPECT_EQ(backward.fetched_bytes, forward.fetched_bytes + forward.written_bytes);
  EXPECT_EQ(backward.written_bytes, forward.fetched_bytes);  // fp32: gradients as wide as weights
  EXPECT_EQ(backward.flops, 2 * forward.flops);
  EXPECT_EQ(backward.products.size(), 8U);
}

TEST(Block, KeepsEveryOperandWithinItsPlace) {
  for (const workload::Transformer& model : workload::presets())
    for (const std::int64_t tp : {1, 8})
      for (const BlockPass pass : {BlockPass::forward, BlockPass::backward}) {
        if (workload::indivisible(model, tp)) continue;
        const Block block = block_of(model, tp, 3, workload::Dtype::bf16, pass);
        const auto inside = [&](const Operand& operand, std::int64_t bytes) {
          return operand.at + bytes <= (operand.place == Place::shared    ? block.shared_bytes
                                        : operand.place == Place::fetched ? block.fetched_bytes
                                                                          : block.written_bytes);
        };
        for (const BlockProduct& product : block.products) {
          EXPECT_TRUE(inside(product.a, product.problem.a_bytes())) << model.name;
          EXPECT_TRUE(inside(product.b, product.problem.b_bytes())) << model.name;
          EXPECT_TRUE(inside(product.result, product.problem.output_bytes())) << model.name;
        }
      }
}

TEST(PipelineCase, NamesWhatItCannotUse) {
  const auto message = [](const Point& point) { return message_of([&] { pipeline_settings(point); }); };
  EXPECT_EQ(message(tiny("0")), "cap_gb_per_s=0: expected unlimited, or GB/s above 0");
  EXPECT_EQ(message(tiny("-1")), "cap_gb_per_s=-1: expected unlimited, or GB/s above 0");
  EXPECT_EQ(message(with("resident", 1)), "resident=1: expected 2 to 64");
  EXPECT_EQ(message(with("blocks", 0)), "blocks=0: expected 1 to 1048576");
  EXPECT_EQ(message(with("tokens", 0)), "tokens=0: expected 1 to 1048576");
  EXPECT_EQ(message(with("compute_threads", 0)), "compute_threads=0: expected 1 to 1048576");
  EXPECT_EQ(message(with("near", -2)), "near=-2: expected -1 to 1048576");
  EXPECT_EQ(message(with("shrink", 0)), "shrink=0: expected 1 (the model as it is) or more");
  EXPECT_EQ(message(with("shrink", 3)),
            "shrink=3: the 4096 hidden features of llama3-8b do not divide by it");
  EXPECT_EQ(message(with("tp", 3)), "llama3-8b has 1 attention heads, which 3 ranks cannot share evenly");
  EXPECT_THAT(message(tiny().set("model", Value("gpt-5"))), testing::StartsWith("model 'gpt-5': expected "));
}

TEST(PipelineCase, SaysWhatDoesNotFitBeforeAnythingIsAllocated) {
  const PipelineSettings settings = pipeline_settings(tiny());
  const std::int64_t slot = 950272 + 49152, input = 4 * 8 * (128 + 128 + 128 + 448);
  EXPECT_EQ(settings.layout().near_bytes(), 2 * 2 * slot + input);
  EXPECT_EQ(settings.layout().far_bytes(), 5 * slot);
  EXPECT_EQ(cannot_run(two_cpus(), settings, [](int) { return std::int64_t{1'000'000}; }),
            "the near memory of 2 resident blocks and the far one of all needs 9021440 bytes and 1000000 are "
            "available");
}

TEST(PipelineCase, SaysWhichOfTwoMemoriesIsTooSmall) {
  machine::Machine machine = two_cpus();
  machine.numa = {node(0), node(1)};
  PipelineSettings settings = pipeline_settings(with("far", 1));
  settings.near_node = 0;
  const auto small = [](int full) {
    return [full](int node) { return node == full ? 1000 : std::int64_t{1} << 40; };
  };
  EXPECT_EQ(cannot_run(machine, settings, small(0)),
            "the near memory of 2 resident blocks needs 4024320 bytes and 1000 are available");
  EXPECT_EQ(cannot_run(machine, settings, small(1)),
            "the far memory of all blocks needs 4997120 bytes and 1000 are available");
}

TEST(PipelineCase, NeedsACpuForTheCopies) {
  machine::Machine one;
  one.cpu.threads = 1;
  EXPECT_EQ(cannot_run(one, pipeline_settings(tiny()), plenty),
            "compute_threads=1 and one that copies need 2 CPUs, this process may use 1");
}

TEST(PipelineCase, NamesANumaNodeThatIsNotThere) {
  machine::Machine machine = two_cpus();
  machine.numa = {node(0)};
  EXPECT_EQ(cannot_run(machine, pipeline_settings(with("far", 7)), plenty),
            "this machine has no NUMA node 7");
}

TEST(PipelineCase, NeedsALibraryForItsProducts) {
  EXPECT_EQ(pipeline_cases({}).front().not_built(tiny()), workload::onednn().not_built());
}

TEST(Verdict, IsOfBothDirectionsAndSaysTheNumber) {
  EXPECT_EQ(bandwidth_verdict(25, unlimited, 55.01, 47),
            "met: 55 GB/s in and 47 GB/s out, both at once during the products");
  EXPECT_EQ(bandwidth_verdict(50, unlimited, 55.01, 47),
            "not met: 55 GB/s in and 47 GB/s out, both at once during the products");
  EXPECT_EQ(bandwidth_verdict(50, 25, 25, 25), "not asked: capped at 25 GB/s");
}

TEST(StepParts, OfAComputeBoundStepPredictIt) {
  const PipelineShape shape{.blocks = 4, .resident = 2};
  const StepParts parts{.compute_s = 40,
                        .fetch_s = 12,
                        .write_s = 4,
                        .both_s = 16,
                        .compute_beside_s = 40,
                        .both_beside_s = 16,
                        .fetch_beside_s = 16,
                        .write_beside_s = 8,
                        .step_s = 44};
  EXPECT_DOUBLE_EQ(predicted_s(shape, parts), 44);
  EXPECT_DOUBLE_EQ(interference_s(shape, parts), 0);
  StepParts disturbed = parts;
  disturbed.compute_beside_s = 50;
  EXPECT_GT(interference_s(shape, disturbed), 0);
}

class RunningPipeline : public testing::Test {
 protected:
  void SetUp() override {
    if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one CPU: none is left to copy";
    const PipelineSettings settings = pipeline_settings(tiny());
    if (const auto why =
            workload::host_library(settings.dtype).unsupported(settings.block.products[0].problem))
      GTEST_SKIP() << *why;
  }
};

TEST_F(RunningPipeline, WritesBackWhatTheFarWeightsGive) {
  for (const std::int64_t resident : {2, 3, 4}) {
    Pipeline pipeline(pipeline_settings(with("resident", resident)));
    const StepParts parts = pipeline.run_all();
    EXPECT_EQ(pipeline.verify().result, core::Verification::Result::right) << pipeline.verify().why;
    for (const double part :
         {parts.compute_s, parts.fetch_s, parts.write_s, parts.both_s, parts.compute_beside_s,
          parts.both_beside_s, parts.fetch_beside_s, parts.write_beside_s, parts.step_s})
      EXPECT_GT(part, 0);
  }
}

TEST_F(RunningPipeline, OfTheBackwardPassWritesGradientsOfWhatWasFetched) {
  for (const char* dtype : {"fp32", "bf16"}) {
    const PipelineSettings settings =
        pipeline_settings(tiny().set("pass", Value("backward")).set("dtype", Value(dtype)));
    if (const auto why = cannot_run(two_cpus(), settings, plenty)) GTEST_SKIP() << *why;
    Pipeline pipeline(settings);
    EXPECT_GT(pipeline.run_all().step_s, 0);
    EXPECT_EQ(pipeline.verify().result, core::Verification::Result::right) << pipeline.verify().why;
    const BlockProduct& last = settings.block.products.back();
    const BlockPlaces far{pipeline.memory().shared(), pipeline.memory().far_fetched(4),
                          pipeline.memory().far_written(4)};
    EXPECT_EQ(last.result.place, Place::written);
    EXPECT_EQ(wrong_element(last.problem, far.address(last.a), far.address(last.b), far.address(last.result)),
              std::nullopt);
  }
}

TEST_F(RunningPipeline, ThatWroteBackSomethingElseIsWrong) {
  Pipeline pipeline(pipeline_settings(tiny()));
  pipeline.run_all();
  *pipeline.memory().far_written(3) ^= std::byte{1};
  EXPECT_EQ(pipeline.verify().why, "block 3: what was written back is not what was fetched gives");
}

TEST_F(RunningPipeline, IsNoFasterThanItsCap) {
  const PipelineSettings settings = pipeline_settings(tiny("0.5"));
  Pipeline pipeline(settings);
  EXPECT_GE(pipeline.run_all().step_s, 5 * 950272 / 0.5e9);
}

TEST_F(RunningPipeline, EndsItsWaitsWhereverItIsWhenAskedToStop) {
  for (const int after_ms : {0, 100, 350, 600, 850}) {  // parts of some 240 ms, one after the other
    Pipeline pipeline(pipeline_settings(tiny("0.02")));
    signal(SIGALRM, [](int) { core::request_stop(0); });
    core::tests::send_alarm_after(std::chrono::milliseconds(after_ms));
    EXPECT_THROW(pipeline.run_all(), core::Interrupted) << "asked after " << after_ms << " ms";
    signal(SIGALRM, SIG_IGN);
    core::withdraw_stop_request();
  }
}

TEST_F(RunningPipeline, TellsItsPartsAndItsVerdicts) {
  const auto trial = pipeline_cases({.machine = two_cpus()}).front().prepare(tiny());
  trial->sampling_begins();
  EXPECT_EQ(trial->run(3).each_s.size(), 3U);
  trial->sampling_ends();
  std::map<std::string, double> metrics;
  for (const core::Metric& metric : trial->metrics({})) metrics[metric.name] = metric.value;
  for (const char* name :
       {"compute_only_us", "transfer_only_us", "reached_in_gb_per_s", "hiding_in_gb_per_s", "predicted_us"})
    EXPECT_GT(metrics[name], 0) << name;
  std::vector<std::string> facts;
  for (const core::Fact& fact : trial->facts()) facts.push_back(fact.first);
  EXPECT_THAT(facts, testing::IsSupersetOf({"reaches_25_gb_per_s", "reaches_50_gb_per_s",
                                            "reaches_100_gb_per_s", "copying_cpu"}));
}

}  // namespace
}  // namespace assay::offload
