// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From the runs of a machine to one file of coefficients, and from that file alone to a predicted step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "results/store/store.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::cli {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using tests::Said;

constexpr const char* other_networks = R"({
  "matrix": {"bfloat16": {"tflops": 9, "gflops_efficiency": [[0, 1]]}}, "vector": {"bfloat16": {"tflops": 9, "gflops_efficiency": [[0, 1]]}},
  "mem1": {"GiB": 1, "GBps": 1, "MB_efficiency": [[0, 1]]}, "mem2": {"GiB": 3, "GBps": 1, "MB_efficiency": [[0, 1]]},
  "processing_mode": "no_overlap",
  "networks": [{"bandwidth": 50, "efficiency": 1, "size": 64, "latency": 1e-5, "must_be_filled": false, "processor_usage": 0,
    "ops": {"p2p": [1, null], "reduce_scatter": [1, -1], "all_gather": [1, -1], "all_reduce": [2, -1]}}]})";

constexpr double flop_per_s = 1e12, b_per_s = 100e9;

constexpr const char* application =
    R"({"hidden": 512, "feedforward": 2048, "seq_size": 256, "attn_heads": 4, "attn_size": 128, "num_blocks": 2})";

json execution(int tensor_par, int data_par = 1) {
  return {{"num_procs", tensor_par * data_par},
          {"tensor_par", tensor_par},
          {"pipeline_par", 1},
          {"data_par", data_par},
          {"tensor_par_net", 0},
          {"pipeline_par_net", 0},
          {"data_par_net", data_par > 1 ? 1 : 0},
          {"batch_size", data_par},
          {"microbatch_size", 1},
          {"datatype", "bfloat16"},
          {"fused_activation", false},
          {"attention_type", "multihead"},
          {"activation_recompute", "none"},
          {"pipeline_interleaving", 1},
          {"optimizer_sharding", false},
          {"tensor_par_comm_type", "ar"},
          {"tensor_par_overlap", "none"},
          {"seq_par_ag_redo", false},
          {"data_par_overlap", false},
          {"weight_offload", false},
          {"activations_offload", false},
          {"optimizer_offload", false},
          {"training", true}};
}

class FitAll : public testing::Test {
 protected:
  FitAll() {
    std::ofstream(folder_ / "app.json") << application;
    std::ofstream(folder_ / "base.json") << other_networks;
    std::ofstream(folder_ / "base.yaml")
        << "gpu:\n  mem_bw: 200e9\n  mem_bw_empirical_scaling_factor: 1\n  mem_empirical_constant_latency: "
           "1e-6\n";
    std::ofstream(folder_ / "one.json") << execution(1).dump();
    std::ofstream(folder_ / "two.json") << execution(2).dump();
    std::ofstream(folder_ / "two_by_two.json") << execution(2, 2).dump();
  }

  enum class Collectives { none, within_a_node, of_both_tiers };

  /// A machine of 1 TFLOP/s and 100 GB/s, in the modules that it is asked for.
  void measure(bool gemm, bool memory, bool vector, Collectives collectives = Collectives::none) {
    results::test::RunBuilder builder("run-1");
    builder.begin(0, "gemm");
    if (gemm) add_products(builder);
    builder.begin(1, "memory");
    if (memory) add_copies(builder);
    if (vector) add_vectors(builder);
    if (collectives != Collectives::none) {
      builder.begin(2, "collectives");
      for (const std::int64_t nodes : {1, 2})
        if (nodes == 1 || collectives == Collectives::of_both_tiers) add_collectives(builder, nodes);
    }
    builder.end();
    results::Store store(folder_ / "store.sqlite");
    store.add(builder.take());
  }

  static double collective_s(std::int64_t nodes, double bytes) {
    return nodes == 1 ? 5e-6 + bytes / 200e9 : 20e-6 + bytes / 10e9;
  }

  Said assay(const std::string& arguments) const {
    return tests::assay_in(folder_.path().string(), arguments);
  }
  std::string text_of(const char* file) const { return tests::text_of((folder_ / file).string()); }
  json written() const { return core::json_from<json>(text_of("all.json")); }

 private:
  static void add_products(results::test::RunBuilder& builder) {
    for (const std::int64_t m : {64, 256, 1024})
      for (const std::int64_t n : {256, 512, 1024, 2048})
        for (const std::int64_t k : {256, 512, 1024, 2048}) {
          results::PointRecord record =
              builder.point("gemm.host.matmul", {{"m", m}, {"n", n}, {"k", k}, {"dtype", "bf16"}});
          record.derived = {{"m", m}, {"n", n}, {"k", k}, {"layout", "TN"}};
          const double flop = 2.0 * static_cast<double>(m * n * k);
          record.work_flops = flop;
          builder.measured(std::move(record), 2e-6 + flop / flop_per_s,
                           {"tflop_per_s", "TFLOP/s", [=](double s) { return flop / s * 1e-12; }});
        }
  }

  static void add_copies(results::test::RunBuilder& builder) {
    for (std::int64_t size = 64 << 10; size <= 1 << 30; size *= 2) {
      results::PointRecord record = builder.point("memory.host.copy", {{"bytes", size}});
      add_traffic(builder, std::move(record), static_cast<double>(size));
    }
  }

  static void add_vectors(results::test::RunBuilder& builder) {
    for (const char* kernel : {"layer_norm", "softmax", "gelu", "residual_add", "dropout", "adam"})
      for (std::int64_t elements = 1 << 14; elements <= 1 << 22; elements *= 2) {
        results::PointRecord record = builder.point("memory.host.vector", {{"kernel", kernel},
                                                                           {"dtype", "bf16"},
                                                                           {"pass", "forward"},
                                                                           {"elements", elements},
                                                                           {"columns", 512}});
        record.derived = {{"tensor_bytes", 2 * elements}};
        add_traffic(builder, std::move(record), 4 * static_cast<double>(elements));
      }
  }

  /// Among 2 ranks: 5 us and 200 GB/s within a node, 20 us and 10 GB/s over two.
  static void add_collectives(results::test::RunBuilder& builder, std::int64_t nodes) {
    for (const char* operation : {"all_reduce", "all_gather", "reduce_scatter", "send_receive"})
      for (std::int64_t size = 1 << 10; size <= 1 << 28; size *= 4) {
        results::PointRecord record =
            builder.point(std::string("collectives.nccl.") + operation,
                          {{"bytes", size}, {"dtype", "bf16"}, {"groups", nodes == 1 ? "first:2" : "all"}});
        record.conditions = {{"ranks", std::int64_t{2}}, {"nodes", nodes}};
        builder.measured(std::move(record), collective_s(nodes, static_cast<double>(size)),
                         {"time_us", "us", [](double s) { return s * 1e6; }});
      }
  }

  static void add_traffic(results::test::RunBuilder& builder, results::PointRecord record, double bytes) {
    record.work_bytes = bytes;
    builder.measured(std::move(record), 1e-6 + bytes / b_per_s,
                     {"bandwidth_gb_per_s", "GB/s", [=](double s) { return bytes / s * 1e-9; }});
  }

  results::test::TemporaryFolder folder_;
};

TEST_F(FitAll, PutsEveryKindAndTheSystemIntoOneFileAndSaysWhatIsLacking) {
  measure(true, true, true);
  const Said said = assay("fit all --store store.sqlite -o all.json");
  ASSERT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("== not measured\n  collectives: no timing in these runs\n"));
  const json file = written();
  EXPECT_EQ(file["kind"], "all");
  for (const char* kind : {"gemm", "memory", "vector"}) EXPECT_EQ(file["sections"][kind]["kind"], kind);
  EXPECT_EQ(file["sections"].size(), 3U);
  EXPECT_NEAR(file["system"]["matrix"]["bfloat16"]["tflops"].get<double>(), 1, 0.05);
  EXPECT_NEAR(file["system"]["mem1"]["GBps"].get<double>(), 100, 5);
  EXPECT_THAT(file["not_measured"].get<std::vector<std::string>>(),
              Contains("links: no timing in these runs"));
  EXPECT_THAT(assay("export coefficients-csv --coefficients all.json").text,
              HasSubstr("all.json#gemm: gemm, simulated of"));
}

TEST_F(FitAll, IsAllThatAPredictionNeeds) {
  measure(true, true, true);
  ASSERT_EQ(assay("fit all --store store.sqlite -o all.json").exit_code, 0);
  const Said said = assay("predict app.json one.json --system all.json");
  ASSERT_EQ(said.exit_code, 0) << said.text;
  for (const char* source : {"products with weights: all.json#gemm", "vector kernels: all.json#vector"})
    EXPECT_THAT(said.text, HasSubstr(source));
  const std::string to_be_named = "predict app.json one.json all.json --model assay";
  EXPECT_EQ(assay(to_be_named).text, said.text);
  EXPECT_EQ(assay("search app.json 1 1 bfloat16 --system all.json").exit_code, 0);
  const Said two = assay("predict app.json two.json --system all.json");
  EXPECT_EQ(two.exit_code, 1);
  EXPECT_THAT(two.text, HasSubstr("does not fit: Network tier0 isn't big enough"));
}

TEST_F(FitAll, IsAllThatAnExportNeeds) {
  measure(true, true, true);
  ASSERT_EQ(assay("fit all --store store.sqlite -o all.json").exit_code, 0);
  const Said calculon = assay("export calculon --coefficients all.json --base base.json -o system.json");
  ASSERT_EQ(calculon.exit_code, 0) << calculon.text;
  EXPECT_THAT(calculon.text, HasSubstr("note: networks: of base.json\n"));
  const json system = core::json_from<json>(text_of("system.json"));
  EXPECT_NEAR(system["matrix"]["bfloat16"]["tflops"].get<double>(), 1, 0.05);
  EXPECT_EQ(system["networks"][0]["size"], 64);
  EXPECT_EQ(assay("predict app.json one.json system.json").exit_code, 0);
  EXPECT_EQ(assay("export calculon --coefficients all.json").exit_code, 2);
  const Said tables = assay("export aiconfigurator --coefficients all.json --base base.yaml -o aic");
  ASSERT_EQ(tables.exit_code, 0) << tables.text;
  EXPECT_THAT(text_of("aic.yaml"), HasSubstr("mem_bw_empirical_scaling_factor: 0.500"));
  EXPECT_EQ(std::ranges::count(text_of("aic.gemm_perf.txt"), '\n'), 1 + 48);
  EXPECT_EQ(assay("export astra-sim --coefficients all.json -o a").text,
            "assay: ASTRA-sim's ring: expected timings of collectives (--collectives, or a run with them)\n");
}

TEST_F(FitAll, PricesParallelismInANodeAndOverNodesByWhatWasMeasuredOfEach) {
  measure(true, true, true, Collectives::of_both_tiers);
  const Said fitted = assay("fit all --store store.sqlite -o all.json");
  ASSERT_EQ(fitted.exit_code, 0) << fitted.text;
  const json file = written();
  std::multiset<int> nodes;
  for (const auto& [name, family] : file["sections"]["collectives"]["models"].items())
    nodes.insert(family["nodes"].get<int>());
  EXPECT_THAT(nodes, testing::ElementsAre(1, 1, 1, 1, 2, 2, 2, 2));
  EXPECT_EQ(file["system"]["networks"][0]["tier"], "within a node");
  EXPECT_EQ(file["system"]["networks"][1]["tier"], "over nodes");
  const Said said = assay("predict app.json two_by_two.json --system all.json --json");
  ASSERT_EQ(said.exit_code, 0) << said.text;
  const json stats = core::json_from<json>(said.text.substr(said.text.find('{')))["stats"];
  // Two exchanges forward and two backward in each of two blocks, of 256 tokens of 512 numbers.
  const double tensor_s = 8 * collective_s(1, 256 * 512 * 2);
  const double data_s = collective_s(2, stats["block_dp_size"].get<double>());
  EXPECT_GT(stats["tp_comm_link_time"], 0.98 * tensor_s);
  EXPECT_LT(stats["tp_comm_link_time"],
            2.5 * tensor_s);  // sums on the vector engine too; over nodes: 5 times
  EXPECT_NEAR(stats["dp_comm_link_time"].get<double>(), 2 * data_s, 0.04 * data_s);
  ASSERT_EQ(assay("export calculon --coefficients all.json -o system.json").exit_code, 0);
  const json networks = core::json_from<json>(text_of("system.json"))["networks"];
  ASSERT_EQ(networks.size(), 2U);
  const auto b_per_s = [&](int tier) {
    return networks[tier]["bandwidth"].get<double>() * networks[tier]["efficiency"].get<double>();
  };
  EXPECT_NEAR(b_per_s(0) / b_per_s(1), 20, 1);
}

TEST_F(FitAll, WithoutCollectivesOverNodesNamesThemWhereAStepNeedsOne) {
  measure(true, true, true, Collectives::within_a_node);
  ASSERT_EQ(assay("fit all --store store.sqlite -o all.json").exit_code, 0);
  EXPECT_EQ(assay("predict app.json two.json --system all.json").exit_code, 0);
  const Said said = assay("predict app.json two_by_two.json --system all.json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text,
              HasSubstr("does not fit: not measured: all_reduce among 2 over nodes (network tier1)"));
}

TEST_F(FitAll, WithoutWhatASystemNeedsSaysSoWhereItIsAskedForOne) {
  measure(false, true, true);
  const Said fitted = assay("fit all --store store.sqlite -o all.json");
  ASSERT_EQ(fitted.exit_code, 0) << fitted.text;
  EXPECT_THAT(fitted.text, HasSubstr("  system: no system: it needs GEMM and memory over sizes\n"));
  const Said said = assay("predict app.json one.json --system all.json");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_EQ(said.text,
            "assay: all.json: describes no system: GEMM and memory were not both measured (key "
            "'not_measured')\n");
}

TEST_F(FitAll, OfNothingThatCanBeFittedIsOneLineAndNoFile) {
  measure(false, false, false);
  const Said said = assay("fit all --store store.sqlite -o all.json");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_EQ(said.text, "assay: fit all: the runs have no timing that a fit can use\n");
  EXPECT_EQ(assay("fit all --csv x.csv -o all.json").text,
            "assay: fit all: a CSV file is of one kind; expected --run and --store\n");
}

TEST_F(FitAll, IsEvaluatedSectionBySection) {
  measure(true, true, true);
  ASSERT_EQ(assay("fit all --store store.sqlite --keep-out 30 -o all.json").exit_code, 0);
  const Said said = assay("fit evaluate all.json --store store.sqlite");
  EXPECT_EQ(said.exit_code, 0);
  for (const char* kind : {"gemm: ", "memory: ", "vector: "}) EXPECT_THAT(said.text, HasSubstr(kind));
  EXPECT_EQ(assay("fit evaluate all.json#gemm --store store.sqlite").exit_code, 0);
  EXPECT_THAT(assay("fit evaluate all.json --csv x.csv").text,
              HasSubstr("all.json: --csv and --predictions are of one kind: expected all.json#gemm or "));
}

}  // namespace
}  // namespace assay::cli
