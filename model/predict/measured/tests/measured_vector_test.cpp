// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Vector kernels of a step priced by a file of `assay fit vector`: files fitted here to timings of a known
// law, and a step small enough to be added up by hand.
#include "model/predict/measured/measured_vector.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/predict/answer/measured_use.hpp"
#include "model/predict/layers/layer_sum.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* six[] = {"layer_norm", "softmax", "gelu", "residual_add", "dropout", "adam"};

/// latency_us and 10 ns a byte, from 8 bytes to 8 KiB.
std::string rows_of(const std::string& kernel, const std::string& conditions, double latency_us) {
  std::string text;
  for (double bytes = 8; bytes <= 8192; bytes *= 2)
    text += fmt::format("cuda.{},{},{:.0f},node-a,{:.9g}\n", kernel, conditions, bytes,
                        latency_us + 0.01 * bytes);
  return text;
}

std::string all_forward(double latency_us, const char* dtype = "fp16") {
  std::string text;
  for (const char* kernel : six)
    text += rows_of(kernel, fmt::format("gpu=0 dtype={} pass=forward columns=4", dtype), latency_us);
  return text;
}

class MeasuredVectors : public testing::Test {
 protected:
  std::string fitted(const std::string& rows) const {
    const auto timed =
        fit::read_size_timings({"rows", "operation,conditions,size_bytes,machine,time_us\n" + rows});
    const std::string path = folder_.place("vector.json");
    fit::write_coefficients(
        path, fit::section_of(fit::CoefficientsKind::vector,
                              fit::provenance_of(timed.table, timed.machine, timed.rows.size(), 1, "now"),
                              fit::SeenRows{}, fit::fit_sizes(timed, 1)));
    return path;
  }
  Configuration with(const std::string& path, const json& application = sample_application(),
                     const json& execution = sample_execution(), const std::string& by_dtype = {}) const {
    return read_configuration(
        application, execution, sample_system(), {"APP", "EXE", "SYS"},
        {.model = Model::assay, .coefficients = {{path, 0}}, .coefficients_dtype = by_dtype});
  }
  static Configuration by_tables() {
    return read_configuration(sample_application(), sample_execution(), sample_system(),
                              {"APP", "EXE", "SYS"}, {.model = Model::assay});
  }

  core::tests::TemporaryFolder folder_;
};

// Two layer norms, softmax, three dropouts and two residuals of 8 elements (16 bytes), GeLU of 16. The tables
// take 1 ps a FLOP, 352 FLOP, and 1 ns a byte, 408 bytes. The gradients touch as many bytes as the forward
// pass; layer norm's weights are a third pass.
TEST_F(MeasuredVectors, PriceTheirLayersByBytesOfOneTensor) {
  const BlockCost measured = predict(with(fitted(all_forward(3)))).block;
  const BlockCost tables = predict(by_tables()).block;
  const double nine = 9 * 3e-6 + (8 * 16 + 32) * 10e-9;
  EXPECT_NEAR(measured.forward.seconds - tables.forward.seconds, nine - 408e-9 - 352e-12, 1e-11);
  const double activations_of_tables = 408e-9 + (2 * 112 + 64 + 24 + 208 + 2 * 16) * 1e-12;
  EXPECT_NEAR(measured.agrad.seconds - tables.agrad.seconds, nine - activations_of_tables, 1e-11);
  EXPECT_NEAR(measured.wgrad.seconds - tables.wgrad.seconds, 2 * (3.16e-6 - 48e-9 - 56e-12), 1e-11);
  EXPECT_EQ(measured.forward.flops, tables.forward.flops);
  EXPECT_EQ(measured.forward.bytes, tables.forward.bytes);
  EXPECT_NEAR(measured.forward.flop_s + measured.forward.memory_s, measured.forward.seconds, 1e-15);
}

TEST_F(MeasuredVectors, OfABackwardPassGoBeforeTheForwardTime) {
  const std::string both = all_forward(3) + rows_of("gelu", "gpu=0 dtype=fp16 pass=backward columns=4", 50);
  const BlockCost measured = predict(with(fitted(both))).block;
  const BlockCost forward_alone = predict(with(fitted(all_forward(3)))).block;
  EXPECT_NEAR(measured.agrad.seconds - forward_alone.agrad.seconds, 47e-6, 1e-10);
  EXPECT_EQ(measured.forward.seconds, forward_alone.forward.seconds);
}

// Gradients of 16 weights (4 matrices), of 32 (2) and of 8 (2 norms), 2 bytes each.
TEST_F(MeasuredVectors, PriceTheOptimizerByBytesOfTheGradient) {
  const Configuration configuration = with(fitted(all_forward(3)));
  const BlockCost block = predict(configuration).block;
  const Pass step = optimizer_cost(block, configuration.execution, configuration.system);
  EXPECT_NEAR(step.seconds, 8 * 3e-6 + (4 * 32 + 2 * 64 + 2 * 16) * 10e-9, 1e-11);
}

TEST_F(MeasuredVectors, LeaveWhatTheFileDoesNotHoldToTheTableAndSaySo) {
  const Configuration some = with(fitted(rows_of("gelu", "gpu=0 dtype=fp16 pass=forward columns=4", 3)));
  const Pass forward = predict(some).block.forward;
  const Pass tables = predict(by_tables()).block.forward;
  EXPECT_NEAR(forward.seconds - tables.seconds, 3.32e-6 - 64e-9 - 128e-12, 1e-11);
  EXPECT_THAT(
      pricing(some),
      ElementsAre("vector kernels: " + folder_.place("vector.json") + ", on node-a (imported): forward gelu",
                  HasSubstr("products: the system's table"),
                  "layer_norm, softmax, residual_add, dropout, adam and other vector operations: the "
                  "system's table",
                  "backward gelu: the forward time, scaled by bytes"));
  EXPECT_THAT(pricing(by_tables()), Not(Contains(HasSubstr("vector"))));
}

TEST_F(MeasuredVectors, OfAFusedKernelThatKeepsThemInRegistersAreNotAsked) {
  json execution = sample_execution();
  execution["fused_attention"] = true;
  const std::string path = fitted(rows_of("softmax", "gpu=0 dtype=fp16 pass=forward columns=4", 1000));
  EXPECT_LT(predict(with(path, sample_application(), execution)).block.forward.seconds, 1e-5);
  EXPECT_GT(predict(with(path)).block.forward.seconds, 1e-3);
}

TEST_F(MeasuredVectors, InARooflineTakeTheWholeTime) {
  System system;
  system.roofline = true;
  Work work{.flops = 1, .flop_s = 5, .bytes = 1, .memory_s = 2};
  take_vector_time(system, 3, work);
  EXPECT_EQ(system.together(work.flop_s, work.memory_s), 3);
  system.roofline = false;
  take_vector_time(system, 7, work = {.flop_s = 5, .memory_s = 9});
  EXPECT_EQ(work.flop_s, 5);
  EXPECT_EQ(system.together(work.flop_s, work.memory_s), 7);
}

TEST_F(MeasuredVectors, OfTheNearestRowsAndOfTheTensorsWidthAreTaken) {
  const std::string path = fitted(rows_of("softmax", "gpu=0 dtype=fp16 pass=forward columns=16", 10) +
                                  rows_of("softmax", "gpu=0 dtype=fp16 pass=forward columns=1024", 20) +
                                  rows_of("softmax", "gpu=0 dtype=fp32 pass=forward columns=1024", 40));
  const System system = with(path).system;
  const auto us = [&](double width, double row) {
    const VectorCall call{.kernel = VectorKernel::softmax, .bytes = 64, .width = width, .row = row};
    return system.vector_curve(call, VectorPass::forward)->seconds(call) * 1e6 - 0.64;
  };
  EXPECT_NEAR(us(2, 2), 10, 1e-3);
  EXPECT_NEAR(us(2, 100), 10, 1e-3);
  EXPECT_NEAR(us(2, 200), 20, 1e-3);
  EXPECT_NEAR(us(4, 1), 40, 1e-3);  // the head's, in fp32
  EXPECT_EQ(system.vector_curve({.kernel = VectorKernel::softmax, .width = 1}, VectorPass::forward), nullptr);
  EXPECT_EQ(system.vector_curve({.kernel = VectorKernel::gelu, .width = 2}, VectorPass::forward), nullptr);
  EXPECT_EQ(system.vector_curve({.kernel = VectorKernel::softmax, .width = 2}, VectorPass::backward),
            nullptr);
}

TEST_F(MeasuredVectors, BeyondTheSizesAndRowsMeasuredAreAWarning) {
  const std::string few =
      "cuda.gelu,gpu=0 dtype=fp16 pass=forward columns=4,64,node-a,3\n"
      "cuda.gelu,gpu=0 dtype=fp16 pass=forward columns=4,128,node-a,3.5\n"
      "cuda.gelu,gpu=0 dtype=fp16 pass=forward columns=4,256,node-a,4.5\n"
      "cuda.gelu,gpu=0 dtype=fp16 pass=forward columns=4,512,node-a,6.5\n";
  const std::string path = fitted(few + rows_of("softmax", "gpu=0 dtype=fp16 pass=forward columns=32", 3));
  const auto lines = warnings(with(path));
  EXPECT_THAT(lines,
              Contains(path + ": cuda.gelu gpu=0 dtype=fp16 pass=forward columns=4: 32 bytes asked, beyond "
                              "the 64 bytes to 512 bytes measured: extrapolated by the fit"));
  EXPECT_THAT(lines, Contains(HasSubstr("columns=32: rows of 2 elements asked, where 32 was measured")));
}

TEST_F(MeasuredVectors, BelowTheSizesMeasuredKeepATimeAboveZero) {
  fit::Segment segment;
  segment.from_bytes = 1000;
  segment.to_bytes = 4000;
  segment.latency_us = -1;
  segment.us_per_byte = 0.002;
  const MeasuredVector falling{"vector.json", "node-a", "gelu", {segment}};
  EXPECT_DOUBLE_EQ(falling.seconds(1000), 1e-6);
  EXPECT_DOUBLE_EQ(falling.seconds(100), 1e-7);
  EXPECT_DOUBLE_EQ(falling.seconds(2000), 3e-6);
  EXPECT_DOUBLE_EQ(falling.seconds(8000), 15e-6);
}

TEST_F(MeasuredVectors, OfAnotherDtypeAreRefusedUnlessAskedFor) {
  const std::string path = fitted(all_forward(3, "bf16"));
  EXPECT_EQ(core::tests::message_of([&] { with(path); }),
            path + ": expected vector kernels of fp16, got bf16; --coefficients-dtype takes another's");
  const Configuration asked = with(path, sample_application(), sample_execution(), "bf16");
  EXPECT_THAT(asked.coefficients,
              ElementsAre(HasSubstr("(bf16 in place of fp16, as asked): forward adam dropout")));
}

TEST_F(MeasuredVectors, OfTwoConditionsAreRefused) {
  EXPECT_EQ(
      core::tests::message_of([&] {
        with(fitted(rows_of("gelu", "gpu=0 dtype=fp16 pass=forward columns=4", 3) +
                    rows_of("softmax", "gpu=1 dtype=fp16 pass=forward columns=4", 3)));
      }),
      folder_.place("vector.json") +
          ": vector kernels of fp16 are of 'cuda gpu=0' and of 'cuda gpu=1': fit one of them (--filter)");
}

TEST_F(MeasuredVectors, WithoutALengthOfRowsAreRefused) {
  for (const char* columns : {"", " columns=", " columns=x", " columns=0", " columns=4x", " columns=nan"})
    EXPECT_THAT(core::tests::message_of([&] {
                  with(fitted(rows_of("gelu", std::string("dtype=fp16 pass=forward") + columns, 3)));
                }),
                HasSubstr("expected columns=N, of 1 or more, got '"))
        << columns;
}

TEST(VectorNameTest, IsFoundInTheNameOfItsCurveAgain) {
  const VectorName name(fit::SizeRow{.operation = "cuda.softmax",
                                     .conditions = "gpu=0 dtype=bf16 pass=backward columns=4096 x",
                                     .region = ""}
                            .curve());
  EXPECT_EQ(name.kernel, "softmax");
  EXPECT_EQ(name.dtype, "bf16");
  EXPECT_EQ(name.pass, "backward");
  EXPECT_EQ(name.columns, "4096");
  EXPECT_EQ(name.rest, "cuda gpu=0 x");
  EXPECT_EQ(VectorName("softmax dtype=fp32").kernel, "softmax");
}

}  // namespace
}  // namespace assay::model
