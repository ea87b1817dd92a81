// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/join/rendezvous.hpp"

#include <gtest/gtest.h>

#include <map>

#include "harness/core/tests/message_of.hpp"
#include "harness/team/join/launched_place.hpp"

namespace assay::team {
namespace {

using core::tests::message_of;
using Variables = std::map<std::string, std::string>;

Environment from(const Variables& variables) {
  return [variables](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

const Variables torchrun{{"RANK", "3"},         {"WORLD_SIZE", "8"},
                         {"MASTER_ADDR", "h0"}, {"MASTER_PORT", "29500"},
                         {"LOCAL_RANK", "1"},   {"LOCAL_WORLD_SIZE", "2"}};
const Variables slurm{
    {"SLURM_PROCID", "2"},  {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_STEP_NODELIST", "node[008-010,12],gpu1"},
    {"SLURM_JOB_ID", "77"}, {"SLURM_STEP_ID", "3"},        {"SLURM_LOCALID", "0"}};

Variables with(Variables variables, const std::string& name, const std::string& value) {
  variables[name] = value;
  return variables;
}

Variables without(Variables variables, const std::string& name) {
  variables.erase(name);
  return variables;
}

TEST(Rendezvous, IsWhatTorchrunSays) {
  const auto found = torchrun_rendezvous(from(torchrun));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->rank, 3);
  EXPECT_EQ(found->size, 8);
  EXPECT_EQ(found->leader.host, "h0");
  EXPECT_EQ(found->leader.port, 29500);
  EXPECT_EQ(found->local_rank, 1);
  EXPECT_EQ(found->local_size, 2);
}

TEST(Rendezvous, LeavesTorchrunsOwnStoreItsPort) {
  EXPECT_EQ(torchrun_rendezvous(from(with(torchrun, "TORCHELASTIC_USE_AGENT_STORE", "True")))->leader.port,
            29501);
  EXPECT_EQ(torchrun_rendezvous(from(with(torchrun, "TORCHELASTIC_USE_AGENT_STORE", "False")))->leader.port,
            29500);
}

TEST(Rendezvous, IsNoneWhereNoLauncherIs) {
  EXPECT_FALSE(torchrun_rendezvous(from({})).has_value());
  EXPECT_FALSE(slurm_rendezvous(from({})).has_value());
  EXPECT_FALSE(launched_place(from({})).has_value());
}

TEST(Rendezvous, HalfOfTheVariablesIsOneLine) {
  EXPECT_EQ(
      message_of([] { torchrun_rendezvous(from(without(torchrun, "MASTER_PORT"))); }),
      "environment variable MASTER_PORT is not set; set all of RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT to "
      "start a team, or none of them");
  EXPECT_EQ(
      message_of([] { torchrun_rendezvous(from({{"RANK", "0"}})); }),
      "environment variable WORLD_SIZE, MASTER_ADDR, MASTER_PORT is not set; set all of RANK, WORLD_SIZE, "
      "MASTER_ADDR, MASTER_PORT to start a team, or none of them");
}

TEST(Rendezvous, NonsenseInAVariableIsOneLine) {
  EXPECT_EQ(message_of([] { torchrun_rendezvous(from(with(torchrun, "RANK", "8"))); }),
            "environment variable RANK is '8'; expected a whole number from 0 to 7");
  EXPECT_EQ(message_of([] { torchrun_rendezvous(from(with(torchrun, "WORLD_SIZE", "two"))); }),
            "environment variable WORLD_SIZE is 'two'; expected a whole number from 1 to 1000000");
  EXPECT_EQ(message_of([] { torchrun_rendezvous(from(with(torchrun, "MASTER_PORT", "70000"))); }),
            "environment variable MASTER_PORT is '70000'; expected a whole number from 1 to 65535");
  EXPECT_EQ(message_of([] { torchrun_rendezvous(from(with(torchrun, "LOCAL_RANK", "-1"))); }),
            "environment variable LOCAL_RANK is '-1'; expected a whole number from 0 to 1000000");
}

TEST(Rendezvous, OfASlurmStepIsAtItsFirstHost) {
  const auto found = slurm_rendezvous(from(slurm));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->rank, 2);
  EXPECT_EQ(found->size, 4);
  EXPECT_EQ(found->leader.host, "node008");
  EXPECT_EQ(found->leader.port, 18600 + 77 * 16 + 3);
}

TEST(Rendezvous, IsNoneInABatchScriptOrWithAHostFile) {
  EXPECT_FALSE(slurm_rendezvous(from(without(slurm, "SLURM_STEP_NUM_TASKS"))).has_value());
  EXPECT_FALSE(slurm_rendezvous(from(with(slurm, "SLURM_DISTRIBUTION", "arbitrary"))).has_value());
}

TEST(Rendezvous, TorchrunsVariablesComeBeforeSlurms) {
  Variables both = torchrun;
  both.insert(slurm.begin(), slurm.end());
  EXPECT_EQ(launched_place(from(both))->rank, 3);
}

TEST(Rendezvous, OpenMpisVariablesComeBeforeSlurms) {
  Variables both = slurm;
  both.insert({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}});
  EXPECT_EQ(launched_place(from(both))->rank, 1);
}

TEST(Rendezvous, FindsTheFirstHostOfAList) {
  EXPECT_EQ(first_host_of("h1"), "h1");
  EXPECT_EQ(first_host_of("h1,h2"), "h1");
  EXPECT_EQ(first_host_of("gpu1,node[1-3]"), "gpu1");
  EXPECT_EQ(first_host_of("node[001-004]"), "node001");
  EXPECT_EQ(first_host_of("node[7,9]-ib,other"), "node7-ib");
  EXPECT_EQ(
      message_of([] { first_host_of("node[1-3"); }),
      "environment variable SLURM_STEP_NODELIST is 'node[1-3'; expected a host list such as node[001-004]");
}

}  // namespace
}  // namespace assay::team
