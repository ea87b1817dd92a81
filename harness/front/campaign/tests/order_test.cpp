// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/front/campaign/engine.hpp"
#include "harness/front/campaign/nodes/nodes.hpp"

namespace assay::campaign {
namespace {

Stage burn_in_stage() {
  Stage stage;
  stage.name = "soak";
  stage.work = {.check = true, .plan = "name = 'p'", .plan_name = "p", .burn_in_for = "10m"};
  return stage;
}

TEST(Order, ComesBackFromItsWord) {
  Order order = order_of(burn_in_stage(), 1, {.campaign_id = "c", .expectation = "gpus = 8\n"});
  order.nodes_folder = "/shared/a b/nodes";
  const Order back = order_from(to_word(order));
  EXPECT_EQ(back.stage, "soak-1");
  EXPECT_EQ(back.nodes_folder, order.nodes_folder);
  EXPECT_EQ(back.files, order.files);
  ASSERT_EQ(back.steps.size(), 2U);
  EXPECT_EQ(back.steps[0].words, order.steps[0].words);
  EXPECT_EQ(back.steps[1].resumed, order.steps[1].resumed);
}

TEST(Order, AResumedCommandNamesNoPlan) {
  const Order order = order_of(burn_in_stage(), 2, {.campaign_id = "c"});
  ASSERT_EQ(order.steps.size(), 1U);  // the check is of the first run
  const auto& resumed = order.steps[0].resumed;
  EXPECT_EQ(std::ranges::count(resumed, "--resume"), 1);
  EXPECT_EQ(std::ranges::count(resumed, "--plan"), 0);
  EXPECT_EQ(std::ranges::count(order.steps[0].words, "--for"), 1);
}

TEST(Order, WhatIsNoneIsRefused) {
  for (const char* word : {"", "e30", "not base64!", "bm90IEpTT04"})
    EXPECT_THROW(order_from(word), core::Error) << word;
}

TEST(Order, OneTooLongForACommandLineIsRefused) {
  Stage stage = burn_in_stage();
  stage.work.plan = std::string(200'000, '#');
  EXPECT_THROW(to_word(order_of(stage, 1, {.campaign_id = "c"})), core::Error);
}

TEST(Engine, SrunStartsOneTaskOnEachNodeAndSurvivesALostOne) {
  const suite::Launcher srun{
      .engine = suite::Engine::srun, .program = "/usr/bin/srun", .ranks = 1, .words = {"--overlap"}};
  const auto commands = on_each_node(srun, {"a", "b"}, {"assay", "x"});
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_EQ(commands[0],
            (std::vector<std::string>{"/usr/bin/srun", "--kill-on-bad-exit=0", "--wait=0", "--no-kill",
                                      "--cpu-bind=none", "--overlap", "--nodes=2", "--ntasks=2",
                                      "--ntasks-per-node=1", "--nodelist=a,b", "assay", "x"}));
  EXPECT_EQ(run_flags_of(srun, {"a", "b"}, 8).at(1), "--ranks=16");
}

TEST(Nodes, ADoubledNameIsRefused) {
  const suite::Launcher local{};
  EXPECT_EQ(nodes_of(local, "a,b", "", "here"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(nodes_of(local, "", "", "here"), std::vector<std::string>{"here"});
  for (const char* list : {"a,b,a", ",", "../a", "a,-b"})
    EXPECT_THROW(nodes_of(local, list, "", "here"), core::Error) << list;
}

}  // namespace
}  // namespace assay::campaign
