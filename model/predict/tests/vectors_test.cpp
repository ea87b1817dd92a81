// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every vector of the original: 96 fields of the feasible ones, the reason of the infeasible ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "model/predict/read.hpp"
#include "model/predict/stats.hpp"

namespace assay::model {
namespace {

using nlohmann::json;

const std::string vectors_folder = ASSAY_MODEL_VECTORS;  // empty: not configured

constexpr const char* no_vectors =
    "configure with -DASSAY_SHARED_DATA_DIR (or -DASSAY_MODEL_VECTORS_DIR) to compare with the original's "
    "vectors";

std::vector<json> vectors() {
  std::vector<json> found;
  for (const json& entry : read_json(vectors_folder + "/index.json"))
    found.push_back(read_json(vectors_folder + "/" + entry.at("id").get<std::string>() + ".json"));
  return found;
}

struct Configuration {
  Application application;
  Execution execution;
  System system;

  explicit Configuration(const json& of)
      : application(read_application(of.at("application"), "application")),
        execution(read_execution(of.at("execution"), "execution")),
        system(read_system(of.at("system"), "system")) {
    require_fit(application, execution, system, "execution");
  }
};

/// Relative to the expected value; an expected 0 allows for rounding alone.
bool close(double got, double expected) {
  return std::abs(got - expected) <= 1e-9 * std::abs(expected) + 1e-15;
}

void compare(const std::vector<Stat>& got, const json& expected) {
  ASSERT_EQ(got.size(), 96U);
  for (const Stat& stat : got) {
    const std::string name(stat.name);
    ASSERT_TRUE(expected.contains(name)) << name;
    EXPECT_EQ(stat.value.has_value(), !expected[name].is_null()) << name;
    if (!stat.value || expected[name].is_null()) continue;
    EXPECT_TRUE(close(*stat.value, expected[name].get<double>()))
        << name << ": got " << testing::PrintToString(*stat.value) << ", expected " << expected[name];
  }
}

TEST(CalculonVectors, FeasibleStepsAgreeInAllFields) {
  if (vectors_folder.empty()) GTEST_SKIP() << no_vectors;
  int compared = 0;
  for (const json& vector : vectors()) {
    if (vector.at("result").at("status") != "ok") continue;
    SCOPED_TRACE(vector.at("id"));
    const Configuration c(vector);
    const BlockCost block = block_cost(c.application, c.execution, c.system);
    Step step;
    const Verdict verdict = evaluate(c.application, c.execution, c.system, block, step);
    EXPECT_TRUE(verdict.feasible()) << to_string(verdict);
    compare(stats(c.execution, block, step), vector.at("result").at("stats"));
    ++compared;
  }
  EXPECT_EQ(compared, 25);
}

TEST(CalculonVectors, InfeasibleStepsNameTheSameReason) {
  if (vectors_folder.empty()) GTEST_SKIP() << no_vectors;
  int compared = 0;
  for (const json& vector : vectors()) {
    if (vector.at("result").at("status") != "infeasible") continue;
    SCOPED_TRACE(vector.at("id"));
    const Configuration c(vector);
    Step step;
    const BlockCost block = block_cost(c.application, c.execution, c.system);
    EXPECT_EQ(to_string(evaluate(c.application, c.execution, c.system, block, step)),
              vector.at("result").at("message").get<std::string>());
    ++compared;
  }
  EXPECT_EQ(compared, 7);
}

}  // namespace
}  // namespace assay::model
