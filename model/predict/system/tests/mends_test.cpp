// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Each known fault of Calculon and its fix, both in numbers that are added up by hand; and on random
// configurations, that a fix changes nothing where its fault cannot be.
#include "model/predict/system/mends.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "model/predict/step/stats.hpp"
#include "model/predict/system/placement.hpp"
#include "model/predict/tests/random_configurations.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using nlohmann::json;

/// The small sample with changes, under both models.
struct Both {
  Prediction calculon, assay;
  Prediction in_pieces;  // of assay, with tile_pieces too

  Both(const json& application_changes, const json& execution_changes,
       const json& system_changes = json::object()) {
    json application = sample_application(), execution = sample_execution(), system = sample_system();
    application.update(application_changes);
    execution.update(execution_changes);
    system.merge_patch(system_changes);
    Configuration configuration = read_sample(application, execution, system);
    calculon = predict(configuration);
    configuration.system.fixes = Fixes::all();
    configuration.system.fixes.tile_pieces = false;
    assay = predict(configuration);
    configuration.system.fixes.tile_pieces = true;
    in_pieces = predict(configuration);
  }
};

// The forward pass is 928 FLOP (block_cost_test.cpp). Running sums at the recomputed layers: 0 72 72 136 200
// 264 296 336 344 376 440 448 456 456 528 656 784 912 920 928.
TEST(MendedWork, RecomputedFlopsAreTheForwardPassAndNotSumsOfSums) {
  const Both both(json::object(), json{{"activation_recompute", "full"}});
  EXPECT_DOUBLE_EQ(both.calculon.block.recompute.flops, 8624);
  EXPECT_DOUBLE_EQ(both.assay.block.recompute.flops, 928);
  EXPECT_DOUBLE_EQ(both.calculon.block.recompute.seconds, both.assay.block.recompute.seconds);
}

const json two_tiled = {{"num_procs", 2}, {"tensor_par", 2}, {"tensor_par_overlap", "pipe"}};

// An all-reduce of 16 bytes between two at 1 GB/s is 16 ns, adding up 4 numbers 4 ps; half of it is the last
// tile's, of two layers in each pass.
TEST(MendedTile, TheLastTileOfPipeCountsOnce) {
  const Both both(json::object(), two_tiled);
  EXPECT_NEAR(both.calculon.block.forward.seconds - both.assay.block.forward.seconds, 16.004e-9, 1e-18);
  EXPECT_NEAR(both.calculon.block.agrad.seconds - both.assay.block.agrad.seconds, 16.004e-9, 1e-18);
  EXPECT_DOUBLE_EQ(both.calculon.block.forward_exchange.base.exposed_s,
                   both.assay.block.forward_exchange.base.exposed_s);
  EXPECT_NEAR(both.calculon.step.time.total_s - both.assay.step.time.total_s, 32.008e-9, 1e-17);
}

// Behind tiles of half its GEMM (32 and 64 FLOP at 1 TFLOP/s) an all-reduce of 16.004 ns exposes 7.986 and
// 7.970 ns. At the edge it is a reduce-scatter of 8.004 ns, 3.986 and 3.970, and an all-gather of 8 ns
// before GEMMs of 96 and 64 FLOP, 3.952 and 3.968.
TEST(MendedEdge, AnEdgeBlockExposesItsOwnExchanges) {
  json changes = two_tiled;
  changes.update({{"tensor_par_overlap", "ring"}, {"tensor_par_comm_type", "p2p_rs_ag"}});
  const Both both(json::object(), changes);
  EXPECT_NEAR(both.calculon.block.forward_exchange.base.exposed_s, 15.956e-9, 1e-18);
  EXPECT_NEAR(both.calculon.block.forward_exchange.edge.exposed_s, 15.956e-9, 1e-18);
  EXPECT_NEAR(both.assay.block.forward_exchange.base.exposed_s, 15.956e-9, 1e-18);
  EXPECT_NEAR(both.assay.block.forward_exchange.edge.exposed_s, 15.876e-9, 1e-18);
}

// Two blocks on each of two stages, two microbatches in flight: four checkpoints of 16 bytes, of which one in
// two is an edge block's, of 8.
TEST(MendedEdge, KeepsWhatIsDivided) {
  const Both both(json{{"num_blocks", 4}}, json{{"num_procs", 4},
                                                {"tensor_par", 2},
                                                {"pipeline_par", 2},
                                                {"batch_size", 2},
                                                {"tensor_par_comm_type", "p2p_rs_ag"},
                                                {"activation_recompute", "full"}});
  EXPECT_DOUBLE_EQ(both.calculon.step.memory.checkpoint, 64);
  EXPECT_DOUBLE_EQ(both.assay.step.memory.checkpoint, 48);
}

// The gather of 16 bytes between two is 8 ns; its result is 16 bytes.
TEST(MendedGather, AttentionsIsRepeatedOnlyWhereAskedFor) {
  const json split = {{"num_procs", 2},
                      {"tensor_par", 2},
                      {"tensor_par_comm_type", "rs_ag"},
                      {"activation_recompute", "attn_only"}};
  const Both both(json::object(), split);
  EXPECT_NEAR(both.calculon.block.repeated_exchange.base.link_s, 8e-9, 1e-18);
  EXPECT_DOUBLE_EQ(both.assay.block.repeated_exchange.base.link_s, 0);
  EXPECT_DOUBLE_EQ(both.assay.block.stored_bytes - both.calculon.block.stored_bytes, 16);
  json redo = split;
  redo["seq_par_ag_redo"] = true;
  const Both asked(json::object(), redo);
  EXPECT_DOUBLE_EQ(asked.calculon.block.stored_bytes, asked.assay.block.stored_bytes);
  EXPECT_GT(asked.assay.block.repeated_exchange.base.link_s, 8e-9);
}

TEST(MendedCheckpoints, AreDividedUnderSequenceParallelism) {
  const Both both(json::object(), json{{"num_procs", 2},
                                       {"tensor_par", 2},
                                       {"tensor_par_comm_type", "rs_ag"},
                                       {"activation_recompute", "full"}});
  EXPECT_DOUBLE_EQ(both.calculon.block.checkpoint_bytes, 16);
  EXPECT_DOUBLE_EQ(both.assay.block.checkpoint_bytes, 8);
}

double useful_flops(const Prediction& prediction) {
  return prediction.step.total_efficiency * prediction.step.time.total_s * 1e12;
}

// The optimizer's 1,584 FLOP, in four microbatches.
TEST(MendedMfu, CountsTheOptimizerOnceAStep) {
  const Both both(json::object(), json{{"batch_size", 4}});
  EXPECT_NEAR(useful_flops(both.calculon) - useful_flops(both.assay), 3 * 1584, 1e-6);
  EXPECT_DOUBLE_EQ(both.calculon.step.time.total_s, both.assay.step.time.total_s);
}

// Three blocks on two stages: Calculon counts the two of the first.
TEST(MendedMfu, CountsTheBlocksThatThereAre) {
  const Both both(json{{"num_blocks", 3}}, json{{"num_procs", 2}, {"pipeline_par", 2}});
  EXPECT_NEAR(useful_flops(both.assay) / useful_flops(both.calculon), 1.5 / 2, 1e-12);
}

// Two reductions of 8 numbers between two processors, half of them here, add 4 each.
TEST(MendedMfu, LeavesTheAdditionsOfExchangesOut) {
  const Both both(json::object(), json{{"num_procs", 2}, {"tensor_par", 2}});
  EXPECT_DOUBLE_EQ(both.calculon.block.forward.flops - both.assay.block.forward.flops, 8);
  EXPECT_DOUBLE_EQ(both.calculon.block.forward_exchange.base.link_s,
                   both.assay.block.forward_exchange.base.link_s);
}

// Inference on two stages whose network takes 1 ms a message: Calculon's bubble has one back.
TEST(MendedMessages, NoneGoesBackInInference) {
  json system = sample_system();
  system["networks"][1]["latency"] = 1e-3;
  const Both both(json{{"num_blocks", 2}}, json{{"num_procs", 2}, {"pipeline_par", 2}, {"training", false}},
                  json{{"networks", system["networks"]}});
  EXPECT_NEAR(both.calculon.step.time.bubble_s - both.assay.step.time.bubble_s, 1e-3, 1e-15);
}

// A network that takes half of the processor: where the exchange stops to hide, that half must not vanish.
TEST(MendedGradients, ASlowerNetworkNeverExposesLess) {
  double before_calculon = 0, before_assay = 0;
  bool calculon_fell = false;
  for (double bandwidth = 4000; bandwidth > 4; bandwidth *= 0.98) {
    json system = sample_system();
    system["networks"][1].update({{"bandwidth", bandwidth}, {"processor_usage", 0.5}});
    const Both both(json{{"num_blocks", 12}},
                    json{{"num_procs", 2}, {"data_par", 2}, {"batch_size", 2}, {"data_par_overlap", true}},
                    json{{"networks", system["networks"]}, {"mem1", {{"GBps", 1e6}}}});
    calculon_fell = calculon_fell || both.calculon.step.time.data_exposed_s < before_calculon;
    before_calculon = both.calculon.step.time.data_exposed_s;
    EXPECT_GE(both.assay.step.time.data_exposed_s, before_assay);
    before_assay = both.assay.step.time.data_exposed_s;
  }
  EXPECT_TRUE(calculon_fell);
}

// Two row-parallel GEMMs of 32 and 64 FLOP, which pass on 16.004 ns each, in one step of a ring of two: all
// of it, where tiles of half the exchange leave half of it out. Pieces have a lower efficiency than the
// whole.
TEST(MendedTile, PiecesTakeWhatPiecesTakeAndPassOnAllOfTheExchange) {
  json changes = two_tiled;
  changes["tensor_par_overlap"] = "ring";
  const json slow_pieces = {
      {"matrix",
       {{"float16", {{"tflops", 1}, {"gflops_efficiency", {{64e-9, 1.0}, {32e-9, 0.5}, {0, 0.25}}}}}}},
      {"mem1", {{"GBps", 1e9}}}};
  const Both both(json::object(), changes, slow_pieces);
  const ExchangePass& whole = both.assay.block.forward_exchange;
  const ExchangePass& pieces = both.in_pieces.block.forward_exchange;
  EXPECT_NEAR(whole.base.link_s, 32.008e-9, 1e-18);
  EXPECT_GT(pieces.base.exposed_s, whole.base.exposed_s) << "half of each exchange vanishes without the fix";
  EXPECT_LE(pieces.base.exposed_s, pieces.base.link_s);
  EXPECT_GE(both.in_pieces.block.forward.seconds + pieces.base.exposed_s, pieces.base.link_s);
}

/// Whether several, but not all, of a group that leaves its node share one.
bool shares_nodes(const ProcessorGroup& group) {
  const std::int64_t within = group.members_within(8);
  return group.tier > 0 && within > 1 && within < group.members();
}

/// Whether the fault can occur in this execution.
bool concerns(const Execution& e, std::string_view fix) {
  const bool tiled = e.tensor_par_overlap != TensorParOverlap::none;
  const bool edges = e.tensor_par_comm == TensorParComm::p2p_rs_ag;
  const std::map<std::string_view, bool> where = {
      {"recomputed_work", e.recompute != Recompute::none || e.seq_par_ag_redo},
      {"pipe_tile", e.tensor_par_overlap == TensorParOverlap::pipe},
      {"edge_exposure", tiled && edges},
      {"edge_memory", edges},
      {"attention_gather", e.recompute == Recompute::attn_only && !e.seq_par_ag_redo},
      {"split_checkpoints", e.sequence_parallel() && e.recompute == Recompute::full},
      {"useful_work", true},
      {"absent_messages", e.pipeline_par == 1 || !e.training},
      {"hidden_gradients", e.data_par_overlap},
      {"tile_pieces", tiled},
      {"node_groups", shares_nodes(Placement(e).tensor()) || shares_nodes(Placement(e).data())}};
  return where.at(fix);
}

bool same(const Prediction& a, const Prediction& b, const Execution& execution) {
  if (a.verdict.feasible() != b.verdict.feasible()) return false;
  if (!a.verdict.feasible()) return a.verdict.needed_bytes == b.verdict.needed_bytes;
  const std::vector<Stat> left = stats(execution, a.block, a.step);
  const std::vector<Stat> right = stats(execution, b.block, b.step);
  return std::ranges::equal(left, right, {}, &Stat::value, &Stat::value);
}

TEST(Fixes, EachChangesSomeConfigurationsAndOnlyThoseItsFaultConcerns) {
  RandomConfigurations configurations;
  std::map<std::string_view, int> changed;
  for (int i = 0; i < 10'000; ++i) {
    Configuration configuration = configurations.next();
    const Prediction calculon = predict(configuration);
    for (const auto& [name, fix] : fix_names) {
      configuration.system.fixes = {};
      configuration.system.fixes.*fix = true;
      if (same(predict(configuration), calculon, configuration.execution)) continue;
      ++changed[name];
      ASSERT_TRUE(concerns(configuration.execution, name)) << name;
    }
  }
  for (const auto& [name, fix] : fix_names) EXPECT_GT(changed[name], 0) << name;
}

TEST(Fixes, WithoutAnyTheModelIsCalculonsToTheLastBit) {
  RandomConfigurations configurations;
  int concerned = 0;
  for (int i = 0; i < 10'000; ++i) {
    Configuration configuration = configurations.next();
    const Prediction calculon = predict(configuration);
    configuration.system.fixes = Fixes::all();
    configuration.system.fixes.useful_work = false;  // concerns all
    const bool any = std::ranges::any_of(fix_names, [&](const auto& named) {
      return named.first != "useful_work" && concerns(configuration.execution, named.first);
    });
    concerned += any;
    if (!any) {
      ASSERT_TRUE(same(predict(configuration), calculon, configuration.execution));
    }
  }
  EXPECT_GT(concerned, 1000);
  EXPECT_LT(concerned, 9900);
}

}  // namespace
}  // namespace assay::model
