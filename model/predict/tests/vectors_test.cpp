// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every vector of the original: 96 fields of the feasible ones, the reason of the infeasible ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "model/json/read_json.hpp"
#include "model/predict/answer/prediction.hpp"
#include "model/predict/read/read.hpp"
#include "model/predict/step/stats.hpp"

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

Configuration configuration(const json& of) {
  return read_configuration(of.at("application"), of.at("execution"), of.at("system"),
                            {"application", "execution", "system"});
}

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
    const Configuration c = configuration(vector);
    const Prediction got = predict(c);
    EXPECT_TRUE(got.verdict.feasible()) << to_string(got.verdict);
    compare(stats(c.execution, got.block, got.step), vector.at("result").at("stats"));
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
    EXPECT_EQ(to_string(predict(configuration(vector)).verdict),
              vector.at("result").at("message").get<std::string>());
    ++compared;
  }
  EXPECT_EQ(compared, 7);
}

/// The changed execution of one case of rejections.json.
json changed(json execution, const json& changes) {
  const bool keys_too = changes.contains("drop") || changes.contains("add");
  if (!keys_too) execution.update(changes);
  if (keys_too && changes.at("drop").is_string()) execution.erase(changes.at("drop").get<std::string>());
  if (keys_too && changes.at("add").is_object()) execution.update(changes.at("add"));
  return execution;
}

/// "ok", the verdict's reason, or what a usage error says.
std::string outcome(const json& application, const json& execution, const json& system) {
  try {
    const Configuration c = read_configuration(application, execution, system, {"APP", "EXE", "SYS"});
    const Prediction got = predict(c);
    return got.verdict.feasible() ? "ok" : to_string(got.verdict);
  } catch (const core::Error& error) {
    return error.what();
  }
}

TEST(CalculonVectors, WhatTheOriginalRejectsOrCrashesOnEndsWithOneLineNamingFileAndKey) {
  if (vectors_folder.empty()) GTEST_SKIP() << no_vectors;
  const json file = read_json(vectors_folder + "/rejections.json");
  const json& base = file.at("base");
  const auto or_base = [&](const json& entry, const char* part) {
    return entry.at(part).is_string() ? base.at(part) : entry.at(part);
  };
  int cases = 0;
  for (const json& entry : file.at("cases")) {
    SCOPED_TRACE(entry.at("description"));
    const std::string said =
        outcome(or_base(entry, "application"), changed(base.at("execution"), entry.at("changes_to_base")),
                or_base(entry, "system"));
    // The original takes an ascending memory table and then never leaves its first row; here no table may
    // ascend.
    const bool accepted =
        entry.at("result").at("status") == "ok" && said.find("MB_efficiency") == std::string::npos;
    if (accepted)
      EXPECT_EQ(said, "ok");
    else
      EXPECT_THAT(said,
                  testing::MatchesRegex("(APP|EXE|SYS): [a-z0-9_.A-Z]*(\\[[0-9]\\])?[a-z0-9_.A-Z]*: [^\n]*"));
    ++cases;
  }
  EXPECT_EQ(cases, 39);
}

}  // namespace
}  // namespace assay::model
