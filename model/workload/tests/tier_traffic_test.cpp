// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Formulas against every message: those that assay fabric simulates, and those of small groups.
#include "model/workload/tier_traffic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "harness/core/error.hpp"
#include "harness/training/presets.hpp"
#include "harness/training/step_file.hpp"
#include "model/fabric/simulate/simulation.hpp"
#include "model/fabric/simulate/steps/operation_sends.hpp"
#include "model/fabric/simulate/steps/step_plan.hpp"
#include "model/workload/crossings.hpp"

namespace assay::model::workload {
namespace {

const ::assay::workload::Transformer small{.name = "small",
                                           .hidden = 1024,
                                           .feed_forward = 4096,
                                           .heads = 16,
                                           .kv_heads = 16,
                                           .head_size = 64,
                                           .layers = 8};

training::TrainingStep step_of(const std::string& name, std::vector<std::string> numbers = {}) {
  return training::preset_step(training::preset(name), 64, small, numbers);
}

std::vector<training::TrainingStep> steps() {
  return {step_of("ddp"),
          step_of("fsdp", {"shard=16"}),
          step_of("megatron", {"tensor=4", "context=2", "pipeline=2"}),
          step_of("megatron", {"tensor=2", "pipeline=4", "chunks=2", "zero=0"}),
          step_of("moe", {"sequence=512", "experts=16"}),
          step_of("dlrm", {"tables=70"})};
}

fabric::FabricModel model_of(const std::string& keys) {
  return fabric::FabricModel(fabric::parse_fabric(keys, "test.toml"));
}

const std::string nvlink = "[host]\ngpus = 8\nnvlink_gb_per_s = 450\n";
const std::vector<std::string> fabrics{
    "preset = \"star\"\nhosts = 64\n" + nvlink,
    "preset = \"ai-zone\"\nleaves = 4\ngpus_per_leaf = 16\nspines = 4\n" + nvlink,
    "preset = \"data-centre\"\nzones = 2\nleaves = 2\ngpus_per_leaf = 16\nspines = 4\n" + nvlink,
    "preset = \"rail\"\ngroups = 2\nnodes_per_group = 4\ngpus_per_node = 8\nspines = 4\n" + nvlink,
    "preset = \"fat-tree\"\nports = 8\n[host]\ngpus = 4\n"};

std::vector<FabricLevel> linear_levels(const fabric::FabricModel& model) {
  std::vector<fabric::NodeId> order(64);
  for (std::size_t rank = 0; rank < order.size(); ++rank) order[rank] = static_cast<fabric::NodeId>(rank);
  return levels_of(model, order);
}

/// Every message of every phase that a simulation sends.
std::map<std::string, std::vector<double>> sent_by_simulation(const training::TrainingStep& step,
                                                              const std::string& fabric,
                                                              const std::vector<FabricLevel>& levels) {
  const std::string file = testing::TempDir() + "assay_tier_" + std::to_string(getpid()) + ".toml";
  training::write_step(step, file);
  const fabric::Scenario scenario(fabric::parse_fabric(fabric, "test.toml"), fabric::read_workload(file));
  std::filesystem::remove(file);
  std::map<std::string, std::vector<double>> sums;
  for (const fabric::Stream& stream : scenario.workload().streams)
    for (const fabric::Operation& one : stream.operations) {
      if (one.kind == fabric::OperationKind::compute) continue;
      std::vector<double>& sum = sums[one.among];
      sum.resize(levels.size());
      const fabric::OperationSends sends(one, scenario.host_of_rank(),
                                         fabric::send_settings_of(scenario.model()));
      for (const fabric::DistinctStep& phase : sends.steps())
        for (const fabric::NodeId from : sends.hosts())
          sends.sends_of(from, phase.step, [&](fabric::NodeId to, std::uint64_t bytes) {
            std::size_t at = 0;
            while (levels[at].part_of_rank[from] != levels[at].part_of_rank[to]) ++at;
            sum[at] += phase.repeats * static_cast<double>(bytes);
          });
    }
  return sums;
}

TEST(TierTraffic, IsWhatTheSimulationSends) {
  for (const std::string& fabric : fabrics) {
    const std::vector<FabricLevel> levels = linear_levels(model_of(fabric));
    for (const training::TrainingStep& step : steps()) {
      const auto sent = sent_by_simulation(step, fabric, levels);
      const std::vector<DimensionTraffic> traffic = traffic_by_level(step, levels);
      ASSERT_EQ(traffic.size(), sent.size());
      for (const DimensionTraffic& one : traffic)
        for (std::size_t at = 0; at < levels.size(); ++at)
          EXPECT_NEAR(one.bytes_at_level[at], sent.at(one.among)[at],
                      1e-3 * sent.at(one.among)[at])  // blocks of a ring differ by a byte
              << fabric << step.name << one.among << levels[at].name;
    }
  }
}

TEST(TierTraffic, IsTheSameByBlocksAndByPairs) {
  for (const std::string& fabric : fabrics) {
    const std::vector<FabricLevel> levels = linear_levels(model_of(fabric));
    for (const training::TrainingStep& step : steps()) {
      const auto blocks = traffic_by_level(step, levels),
                 pairs = traffic_by_level(step, levels, Counting::by_pairs);
      for (std::size_t one = 0; one < blocks.size(); ++one)
        for (std::size_t at = 0; at < levels.size(); ++at)
          EXPECT_NEAR(blocks[one].bytes_at_level[at], pairs[one].bytes_at_level[at], 1);
    }
  }
}

TEST(TierTraffic, KeepsTensorParallelismInTheServer) {
  const std::vector<FabricLevel> levels = linear_levels(model_of(fabrics[1]));
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_EQ(levels[0].block, 8U);
  EXPECT_EQ(levels[1].block, 16U);
  for (const DimensionTraffic& one : traffic_by_level(steps()[2], levels))
    if (one.among == "tensor") {
      EXPECT_THAT(one.bytes_at_level, testing::ElementsAre(testing::Gt(0), 0, 0));
    }
}

TEST(TierTraffic, KnowsThatRailsAreNoBlocks) {
  const std::vector<FabricLevel> levels = linear_levels(model_of(fabrics[3]));
  EXPECT_EQ(levels[0].block, 8U);
  EXPECT_EQ(levels[1].block, 0U);
  EXPECT_EQ(levels[2].block, 64U);
}

TEST(TierTraffic, IsRefusedWhereFailuresSeparateRanks) {
  EXPECT_THROW(linear_levels(model_of(fabrics[1] + "[[failed]]\nnode = \"leaf2\"\n")), core::Error);
}

TEST(TierTraffic, FollowsAnotherOrderOfRanks) {
  const fabric::FabricModel model = model_of(fabrics[1]);
  std::vector<fabric::NodeId> order;
  for (fabric::NodeId rank = 0; rank < 64; ++rank) order.push_back(rank % 8 * 8 + rank / 8);
  const std::vector<FabricLevel> levels = levels_of(model, order);
  EXPECT_EQ(levels[0].block, 0U);
  for (const DimensionTraffic& one : traffic_by_level(steps()[2], levels))
    if (one.among == "tensor") {
      EXPECT_EQ(one.bytes_at_level[0], 0);
    }
}

TEST(Crossings, AreThoseOfEveryRank) {
  for (std::uint64_t block = 1; block < 12; ++block)
    for (std::uint64_t shift = 1; shift < 14; ++shift)
      for (std::uint64_t begin = 0; begin < 13; ++begin)
        for (std::uint64_t count = 0; count < 30; count += 7) {
          std::uint64_t counted = 0;
          for (std::uint64_t rank = begin; rank < begin + count; ++rank)
            counted += rank / block != (rank + shift) / block ? 1U : 0U;
          EXPECT_EQ(crossings(begin, count, shift, block), counted);
        }
}

TEST(Crossings, OfGroupsAreThoseOfEveryMember) {
  for (const std::string text : {"0:48:1:4", "0:48:4:12", "0:48:2:2:12:4", "0:48:1:2:4:3:12:2", "0:48:3:4"}) {
    const std::optional<RegularGroups> regular = regular_groups(text, 48);
    ASSERT_TRUE(regular) << text;
    const auto groups = training::rank_groups(std::vector{text}, 48);
    for (const std::uint32_t block : {1U, 2U, 3U, 5U, 8U, 16U, 24U, 48U}) {
      std::uint64_t line = 0, ring = 0, pairs = 0;
      const auto differ = [&](std::uint32_t one, std::uint32_t other) {
        return one / block != other / block ? 1U : 0U;
      };
      for (const training::RankGroup& group : groups) {
        for (std::size_t at = 0; at + 1 < group.size(); ++at) line += differ(group[at], group[at + 1]);
        ring += differ(group.back(), group.front());
        for (const std::uint32_t one : group)
          for (const std::uint32_t other : group) pairs += differ(one, other);
      }
      EXPECT_EQ(next_crossings(*regular, block, false), line) << text << block;
      EXPECT_EQ(next_crossings(*regular, block, true), line + ring) << text << block;
      if (regular->levels.size() == 1) {
        EXPECT_EQ(all_pair_crossings(*regular, block), pairs) << text << block;
      }
    }
  }
  EXPECT_FALSE(regular_groups("0+8", 48));
  EXPECT_FALSE(regular_groups("0:24:1:4", 48));
}

}  // namespace
}  // namespace assay::model::workload
