// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/answer/measured_use.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Two processors that exchange 16 bytes at a time in an all-reduce over network 0.
Configuration pair_of_two() {
  nlohmann::json execution = sample_execution();
  execution.update({{"num_procs", 2}, {"tensor_par", 2}});
  return read_configuration(sample_application(), execution, sample_system(), {"APP", "EXE", "SYS"},
                            {.model = Model::assay});
}

/// 5 us and 1 GB/s between these sizes.
std::shared_ptr<MeasuredCollective> measured(double from, double to, bool supported = true,
                                             const std::string& system = "m/x",
                                             const std::string& path = "net.json") {
  const fit::Segment segment{.from_bytes = from,
                             .to_bytes = to,
                             .latency_us = 5,
                             .us_per_byte = 1e-3,
                             .rows = 7,
                             .latency = {"latency_us", 5, 1, 9, supported},
                             .bandwidth = {"gb_per_s", 1, 0.9, 1.1}};
  const MeasuredCollective::Origin origin{path, system.substr(0, system.find('/')), system};
  return std::make_shared<MeasuredCollective>(
      origin, std::vector{MeasuredCollective::Algorithm{
                  {segment}, [segment](double bytes) { return segment.time_us(bytes); }}});
}

void add(Configuration& configuration, std::shared_ptr<const MeasuredCollective> source,
         Collective operation = Collective::all_reduce) {
  CollectiveCurve& curve =
      configuration.system.networks[0].curves.emplace_back(CollectiveCurve{operation, 2, {}});
  set_collective(std::move(source), curve);
}

void add_products(Configuration& configuration, double most, const std::string& machine) {
  MeasuredProducts products{{"fp16", {}}, "gemm.json", machine};
  products.model.coefficients = {
      {"launch_us", 4, 4, 4}, {"tflop_per_s", 600, 590, 610}, {"gb_per_s", 3000, 1, 9e6}};
  products.model.coefficients.back().supported = false;
  if (most > 0) products.model.measured = fit::ShapeRange{{2, 2, 2}, {most, most, most}};
  set_products(std::make_shared<const MeasuredProducts>(products), configuration.system);
}

TEST(MeasuredUse, OfSizesThatWereMeasuredHasNoWarning) {
  Configuration asked = pair_of_two();
  add(asked, measured(8, 32));
  EXPECT_THAT(warnings(asked), IsEmpty());
}

TEST(MeasuredUse, TellsOnceWhatIsAskedBeyondTheSizesMeasured) {
  Configuration asked = pair_of_two();
  add(asked, measured(1024, 65536));
  EXPECT_THAT(warnings(asked),
              ElementsAre("net.json: network 0, all_reduce among 2: 16 bytes asked, beyond the 1024 bytes to "
                          "65.54 kB measured: extrapolated by the fit"));
  Configuration above = pair_of_two();
  add(above, measured(1, 15));
  EXPECT_THAT(warnings(above),
              ElementsAre(HasSubstr("16 bytes asked, beyond the 1 bytes to 15 bytes measured")));
}

TEST(MeasuredUse, TellsTheSegmentThatDoesNotDetermineItsLatency) {
  Configuration asked = pair_of_two();
  add(asked, measured(8, 32, false));
  EXPECT_THAT(
      warnings(asked),
      ElementsAre("net.json: network 0, all_reduce among 2: 16 bytes asked; the 7 rows from 8 bytes to "
                  "32 bytes do not determine latency_us (5, 95 % interval 1 to 9)"));
}

TEST(MeasuredUse, SaysNothingOfTimesThatTheStepDoesNotAskFor) {
  Configuration asked = pair_of_two();
  add(asked, measured(1024, 65536, false, "other/y"), Collective::all_gather);
  asked.system.networks[0].curves.back().members = 2;
  EXPECT_THAT(warnings(asked), IsEmpty());
}

TEST(MeasuredUse, TellsShapesBeyondThoseMeasuredAndCoefficientsWithoutSupport) {
  Configuration asked = pair_of_two();
  add_products(asked, 3, "m");
  EXPECT_THAT(warnings(asked),
              ElementsAre(HasSubstr("gemm.json: products with weights, fp16: "),
                          "gemm.json: products with weights, fp16: its rows do not determine "
                          "gb_per_s (3000, 95 % interval 1 to 9e+06)"));
  EXPECT_THAT(warnings(asked)[0], HasSubstr(" of 4, where 2 to 3 was measured"));
}

TEST(MeasuredUse, TellsBatchesOfAttentionBeyondThoseMeasured) {
  Configuration asked = pair_of_two();
  add_products(asked, 100, "m");
  MeasuredProducts products = *asked.system.products;
  products.model.coefficients.back().supported = true;
  products.attention = {{"fp16/batched/scores", products.model}, {"fp16/batched/context", products.model}};
  products.attention[1].model.measured = fit::ShapeRange{{2, 2, 2, 8}, {100, 100, 100, 16}};
  set_products(std::make_shared<const MeasuredProducts>(products), asked.system);
  EXPECT_THAT(
      warnings(asked),
      ElementsAre("gemm.json: attention's products, fp16/batched/context: 1 of 1 shapes are beyond those "
                  "measured, extrapolated by the formula: batch of 1, where 8 to 16 was measured"));
}

TEST(MeasuredUse, TellsAFileThatDoesNotSayWhichShapesWereMeasured) {
  Configuration asked = pair_of_two();
  add_products(asked, 0, "m");
  EXPECT_THAT(warnings(asked)[0], HasSubstr("the file does not say which shapes were measured"));
}

TEST(MeasuredUse, NamesBothMachinesAndTheirFiles) {
  Configuration asked = pair_of_two();
  add_products(asked, 100, "here");
  add(asked, measured(8, 32, true, "there/x"));
  EXPECT_THAT(warnings(asked).back(),
              "measured times of 2 machines in one step: 'here' (gemm.json), 'there' (net.json)");
}

TEST(MeasuredUse, NamesTheSystemsThatOneFileMixes) {
  nlohmann::json execution = sample_execution();
  execution.update({{"num_procs", 2}, {"tensor_par", 2}, {"tensor_par_comm_type", "rs_ag"}});
  Configuration asked = read_configuration(sample_application(), execution, sample_system(),
                                           {"APP", "EXE", "SYS"}, {.model = Model::assay});
  add(asked, measured(8, 32, true, "m/x"), Collective::all_gather);
  add(asked, measured(8, 32, true, "m/y"), Collective::reduce_scatter);
  EXPECT_THAT(warnings(asked),
              ElementsAre("net.json: measured times of 2 systems in one step: 'm/x' (all_gather "
                          "among 2), 'm/y' (reduce_scatter among 2)"));
}

TEST(MeasuredUse, OfSeveralStepsIsToldTogether) {
  Configuration asked = pair_of_two();
  add(asked, measured(1024, 65536));
  Configuration longer = asked;
  longer.application.seq_size = 4;
  MeasuredUse use;
  use.add(asked);
  use.add(longer);
  EXPECT_THAT(use.warnings(), ElementsAre(HasSubstr("16 bytes to 32 bytes asked")));
}

TEST(MeasuredUse, IsInTheJsonOfAssaysModel) {
  Configuration asked = pair_of_two();
  add(asked, measured(1024, 65536));
  EXPECT_EQ(to_json(asked, predict(asked)).at("warnings").size(), 1U);
  EXPECT_EQ(to_json(pair_of_two(), predict(pair_of_two())).at("warnings"), nlohmann::json::array());
}

}  // namespace
}  // namespace assay::model
