// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "model/predict/system/placement.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using core::tests::message_of;
using nlohmann::json;
using testing::HasSubstr;

/// Experts and tokens enough for every group here.
Execution read_with(const json& changes) {
  json application = sample_application(), execution = sample_execution();
  application.update({{"hidden", 48}, {"feedforward", 48}, {"attn_heads", 12}, {"attn_size", 4}});
  application.update({{"seq_size", 48}, {"experts", 48}, {"experts_per_token", 2}});
  execution.update({{"tensor_par_comm_type", "rs_ag"}, {"batch_size", 48}});
  execution.update(changes);
  return read_configuration(application, execution, sample_system(), {"APP", "EXE", "SYS"},
                            {.model = Model::assay})
      .execution;
}

std::string refusal_of(const json& changes) {
  return message_of([&] { read_with(changes); });
}

json shards_of(std::int64_t group, json changes) {
  changes.update({{"optimizer_sharding", true}, {"sharding_group", group}});
  return changes;
}

// Three contexts, then four data ranks: 2, 4 and 8 of twelve processors would begin a context and not end it.
TEST(Misfit, RefusesShardingGroupsThatEndWithinADimension) {
  const json twelve{{"num_procs", 12}, {"context_par", 3}, {"data_par", 4}};
  for (const std::int64_t group : {3, 6, 12}) {
    const Placement placement(read_with(shards_of(group, twelve)));
    EXPECT_EQ(placement.shards(group).members(), group);
    EXPECT_EQ(placement.copies(group).members(), 12 / group);
  }
  for (const std::int64_t group : {2, 4})
    EXPECT_THAT(refusal_of(shards_of(group, twelve)),
                HasSubstr("sharding_group: expected a divisor of 3, or 3 times one of 1, or 3 times one of 4 "
                          "(contexts, data ranks that share experts, the other data ranks), got "));
}

// Experts share four of twelve data ranks.
TEST(Misfit, RefusesShardingGroupsThatEndWithinTheRanksOfExperts) {
  const json twelve{{"num_procs", 12}, {"data_par", 12}, {"expert_par", 4}};
  EXPECT_EQ(Placement(read_with(shards_of(4, twelve))).shards(4).members(), 4);
  EXPECT_THAT(refusal_of(shards_of(6, twelve)), HasSubstr("sharding_group: expected a divisor of 1, or 1 "));
}

TEST(Misfit, RefusesExpertsThatEndWithinADimension) {
  json twelve{{"num_procs", 12}, {"tensor_par", 4}, {"context_par", 3}, {"expert_tensor_par", 1}};
  for (const std::int64_t expert_par : {2, 4, 12}) {
    twelve["expert_par"] = expert_par;
    const Placement placement(read_with(twelve));
    EXPECT_EQ(placement.experts().members(), expert_par);
    EXPECT_EQ(placement.expert_copies().members(), 12 / expert_par);
  }
  for (const std::int64_t expert_par : {3, 6}) {
    twelve["expert_par"] = expert_par;
    EXPECT_THAT(
        refusal_of(twelve),
        HasSubstr("expert_par: expected a divisor of tensor_par / expert_tensor_par = 4, or that times "
                  "a divisor of context_par 3, got "));
  }
}

TEST(Misfit, RefusesMoreRanksOfExpertsThanThereAre) {
  const json four{{"num_procs", 4}, {"data_par", 4}, {"expert_par", 48}};
  EXPECT_THAT(refusal_of(shards_of(2, four)),
              HasSubstr("expert_par: expected a divisor of data_par 4, got 48"));
}

TEST(Misfit, RefusesShardingThatSaysTwoThings) {
  json keys{{"num_procs", 2}, {"data_par", 2}, {"optimizer_sharding", true}};
  keys.update({{"sharding", "parameters"}, {"parameter_sharding", false}});
  EXPECT_EQ(refusal_of(keys),
            "EXE: parameter_sharding: expected true where sharding is 'parameters', got false");
  keys.update({{"sharding", "optimizer"}, {"parameter_sharding", true}});
  EXPECT_EQ(refusal_of(keys),
            "EXE: parameter_sharding: expected false where sharding is 'optimizer', got true");
  keys["parameter_sharding"] = false;
  EXPECT_FALSE(read_with(keys).parameter_sharding);
}

}  // namespace
}  // namespace assay::model
