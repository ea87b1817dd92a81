// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/imported_definition.hpp"

#include <gtest/gtest.h>

#include <string>

#include "results/points/point_doubts.hpp"

namespace assay::results {
namespace {

TEST(ImportedDefinition, DiffersByStatisticAndByIterationsBeyondAFactorOfTwo) {
  const auto definition = [](const std::string& conditions) {
    return "0||||8||" + imported_definition(conditions);
  };
  const std::string usual = definition(R"({"statistic":"mean","executions":20,"warmup_iterations":5})");
  const auto part_of = [&](const std::string& conditions) {
    const auto differs = difference_of(usual, definition(conditions));
    return differs ? std::string(differs->part) : "none";
  };
  EXPECT_EQ(part_of(R"({"statistic":"mean","executions":40,"warmup_iterations":1})"), "none");
  EXPECT_EQ(part_of(R"({"statistic":"mean","executions":41,"warmup_iterations":5})"), "iterations");
  EXPECT_EQ(part_of(R"({"statistic":"mean","executions":9,"warmup_iterations":5})"), "iterations");
  EXPECT_EQ(part_of(R"({"statistic":"mean","executions":20,"warmup_iterations":0})"), "warm-up iterations");
  EXPECT_EQ(part_of(R"({"statistic":"median","executions":20,"warmup_iterations":5})"), "statistic");
  EXPECT_EQ(part_of(R"({"statistic":"mean","warmup_iterations":5})"), "iterations");
  EXPECT_EQ(part_of(R"({"statistic":"mean","executions":20,"warmup_iterations":5,"mtu":4096})"), "MTU");
}

}  // namespace
}  // namespace assay::results
