// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One file of collectives within a node and over nodes: each network of a system takes its own.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/predict/answer/prediction.hpp"
#include "model/predict/measured/coefficients.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using core::tests::message_of;
using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

/// A ring of 2 us a step and 300 GB/s within a node, 10 us and 40 GB/s over nodes.
double tier_us(bool is_over, double ranks, double bytes) {
  const double steps = 2 * (ranks - 1);
  return steps * (is_over ? 10 : 2) + steps / ranks * bytes / (is_over ? 40e3 : 300e3);
}

std::string tier_rows(int ranks, int nodes, double times = 1) {
  std::string text;
  for (double bytes = 1024; bytes < 2e9; bytes *= 4)
    text += fmt::format("all_reduce,{},{},{:.0f},fp16,{:.9g},m/nccl\n", ranks, nodes, bytes,
                        times * tier_us(nodes > 1, ranks, bytes));
  return text;
}

const std::string within_rows = tier_rows(2, 1) + tier_rows(4, 1),
                  over_rows = tier_rows(2, 2) + tier_rows(4, 4);

class TierPrices : public testing::Test {
 protected:
  CoefficientFile fitted(const std::string& text, std::size_t network = 0) {
    const std::string csv = folder_.file("c.csv", "op,ranks,nodes,size_bytes,dtype,time_us,source\n" + text);
    const auto timed = fit::read_collective_timings(csv);
    const std::string path = folder_.place("c.json");
    fit::write_coefficients(
        path, fit::section_of(fit::provenance_of(timed.table, timed.machine, timed.rows.size(), 1, "now"),
                              fit::SeenRows{}, fit::fit_collectives(timed, 1)));
    return {path, network};
  }
  /// Networks 0 and 1 say that they are within a node and over nodes.
  static json measured_system() {
    json system = sample_system();
    system["networks"][0]["tier"] = "within a node";
    system["networks"][1]["tier"] = "over nodes";
    return system;
  }
  /// Tensor parallelism of 4 on network 0, data parallelism of 4 on network 1.
  static Configuration four_by_four(const std::vector<CoefficientFile>& files, const json& system) {
    json application = sample_application(), execution = sample_execution();
    application.update({{"attn_heads", 8}, {"hidden", 16}, {"feedforward", 32}});
    execution.update({{"num_procs", 16}, {"tensor_par", 4}, {"data_par", 4}, {"batch_size", 4}});
    return read_configuration(application, execution, system, {"APP", "EXE", "SYS"},
                              {.model = Model::assay, .coefficients = files});
  }
  static void expect_ring(const Network& network, bool is_over) {
    for (const double ranks : {2.0, 4.0, 3.0})  // 3: by the law over ranks
      for (const double bytes : {2048.0, 1e6, 1e9}) {
        const double ring_s = 1e-6 * tier_us(is_over, ranks, bytes);
        EXPECT_NEAR(network.seconds(Collective::all_reduce, bytes, ranks), ring_s, 5e-3 * ring_s) << ranks;
      }
  }

  core::tests::TemporaryFolder folder_;
};

TEST_F(TierPrices, OfTensorParallelismInANodeAndDataParallelismAcrossAreOfTheirOwnTier) {
  const Configuration configuration = four_by_four({fitted(within_rows + over_rows)}, measured_system());
  expect_ring(configuration.system.networks[0], false);
  expect_ring(configuration.system.networks[1], true);
  const json stats = to_json(configuration, predict(configuration))["stats"];
  // Exchanges of 2 tokens of 16 numbers in fp16, in attention and MLP, forward and backward.
  EXPECT_NEAR(stats["tp_comm_link_time"].get<double>(), 4e-6 * tier_us(false, 4, 64),
              12e-8 * tier_us(false, 4, 64));
  const double data_bytes = stats["block_dp_size"].get<double>();
  EXPECT_NEAR(stats["dp_comm_link_time"].get<double>(), 1e-6 * tier_us(true, 4, data_bytes),
              2e-8 * tier_us(true, 4, data_bytes));
}

TEST_F(TierPrices, AreSaidOfEachNetwork) {
  const CoefficientFile file = fitted(within_rows + over_rows);
  EXPECT_THAT(
      pricing(four_by_four({file}, measured_system())),
      Contains("network 0: " + file.path +
               ", on m (imported): all_reduce among 2 4 within a node; network 1: all_reduce among 2 4 "
               "over nodes"));
}

TEST_F(TierPrices, InASystemThatDoesNotSayItsTiersGoToTheFirstNetworkAndTheNext) {
  const System system = four_by_four({fitted(within_rows + over_rows)}, sample_system()).system;
  expect_ring(system.networks[0], false);
  expect_ring(system.networks[1], true);
  json single = sample_system();
  single["networks"].erase(1);
  const PricedSystem one = read_priced_system(
      single, "SYS", {.model = Model::assay, .coefficients = {fitted(within_rows + over_rows)}},
      Datatype::float16);
  expect_ring(one.system.networks[0], false);
  EXPECT_THAT(one.coefficients,
              Contains(HasSubstr("; not used, as no network is of them: all_reduce among 2 4 over nodes")));
}

TEST_F(TierPrices, OfAFileOfOneTierGoToTheNetworkThatIsNamed) {
  const System system = four_by_four({fitted(over_rows, 1)}, sample_system()).system;
  EXPECT_TRUE(system.networks[0].curves.empty());
  expect_ring(system.networks[1], true);
  expect_ring(four_by_four({fitted(over_rows, 0)}, sample_system()).system.networks[0], true);
}

TEST_F(TierPrices, ThatWereNotMeasuredAreNamedAndTheStepDoesNotFit) {
  json system = measured_system();
  system["networks"][1]["size"] = 1;
  for (auto& [operation, scalar] : system["networks"][1]["ops"].items()) scalar = nullptr;
  const Configuration configuration = four_by_four({fitted(within_rows)}, system);
  const Prediction prediction = predict(configuration);
  EXPECT_FALSE(prediction.verdict.feasible());
  EXPECT_EQ(to_string(prediction.verdict), "not measured: all_reduce among 4 over nodes (network tier1)");
  EXPECT_TRUE(predict(four_by_four({fitted(within_rows + over_rows)},
                                   [&] {
                                     json measured = system;
                                     measured["networks"][1]["size"] = 4;
                                     return measured;
                                   }()))
                  .verdict.feasible());
}

TEST_F(TierPrices, OfSeveralNumbersOfNodesAreThoseOnTheMost) {
  const std::string mixed = tier_rows(4, 2, 0.5);
  const System system = four_by_four({fitted(within_rows + mixed + over_rows)}, measured_system()).system;
  expect_ring(system.networks[1], true);
}

TEST_F(TierPrices, OfASystemWithAnotherTierAreRefused) {
  json system = sample_system();
  system["networks"][0]["tier"] = "in a rack";
  EXPECT_THAT(message_of([&] { four_by_four({}, system); }), HasSubstr("networks[0].tier: expected"));
}

}  // namespace
}  // namespace assay::model
