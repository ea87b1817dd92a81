// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The system in a file of coefficients goes out with exactly the keys that Calculon reads; what it lacks is
// the base's, by name, or refused.
#include "model/exporters/calculon/system_of_coefficients.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "harness/core/text/json_from.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"

namespace assay::model::calculon {
namespace {

using core::tests::message_of;
using nlohmann::ordered_json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* measured_node = R"({
  "matrix": {"bfloat16": {"tflops": 600, "gflops_efficiency": [[0, 1]]}},
  "vector": {},
  "mem1": {"GiB": 80, "GBps": 3000, "MB_efficiency": [[0, 1]]},
  "mem2": {"GiB": 0, "GBps": 3000, "MB_efficiency": [[0, 1]]},
  "processing_mode": "roofline",
  "networks": [{"bandwidth": 400, "efficiency": 0.5, "size": 8, "latency": 2e-6, "must_be_filled": false, "processor_usage": 0.15,
    "ops": {"p2p": null, "reduce_scatter": [1, -1], "all_gather": [1, -1], "all_reduce": [2, -1], "all_to_all": null}}]})";

constexpr const char* whole_base = R"({
  "matrix": {"bfloat16": {"tflops": 1, "gflops_efficiency": [[0, 1]]}},
  "vector": {"bfloat16": {"tflops": 77, "gflops_efficiency": [[0, 1]]}},
  "mem1": {"GiB": 1, "GBps": 1, "MB_efficiency": [[0, 1]]},
  "mem2": {"GiB": 512, "GBps": 50, "MB_efficiency": [[0, 1]]},
  "processing_mode": "no_overlap",
  "networks": [
    {"bandwidth": 1, "efficiency": 1, "size": 8, "latency": 0, "must_be_filled": false, "processor_usage": 0.9,
     "ops": {"p2p": [1.25, null], "reduce_scatter": [9, -1], "all_gather": [9, -1], "all_reduce": [9, -1]}},
    {"bandwidth": 50, "efficiency": 1, "size": 4096, "latency": 1e-5, "must_be_filled": false, "processor_usage": 0,
     "ops": {"p2p": [1, null], "reduce_scatter": [1, -1], "all_gather": [1, -1], "all_reduce": [2, -1]}}]})";

class SystemOfCoefficientsTest : public testing::Test {
 protected:
  std::string with(ordered_json system) const {
    fit::AllCoefficients all;
    all.sections[fit::CoefficientsKind::gemm] = {{"kind", "gemm"}};
    all.system = std::move(system);
    all.not_measured = {"links: no timing in these runs", "system: mem2: no copy between host and GPU"};
    fit::write_coefficients(folder_.place("node.json"), all);
    return folder_.place("node.json");
  }
  SystemOfCoefficients exported(const std::string& base_file) const {
    return system_of_coefficients(with(core::json_from<ordered_json>(measured_node)), base_file);
  }
  std::string base_file() const { return folder_.file("base.json", whole_base); }

 private:
  core::tests::TemporaryFolder folder_;
};

TEST_F(SystemOfCoefficientsTest, KeepsWhatWasMeasuredAndNamesWhatIsOfTheBase) {
  const SystemOfCoefficients made = exported(base_file());
  EXPECT_EQ(made.system["matrix"]["bfloat16"]["tflops"], 600);
  EXPECT_EQ(made.system["mem1"]["GBps"], 3000);
  EXPECT_EQ(made.system["processing_mode"], "roofline");
  const ordered_json& network = made.system["networks"][0];
  EXPECT_EQ(network["processor_usage"], 0.15);
  EXPECT_EQ(network["ops"].dump(),
            R"({"p2p":[1.25,null],"reduce_scatter":[1,-1],"all_gather":[1,-1],"all_reduce":[2,-1]})");
  EXPECT_EQ(made.system["vector"]["bfloat16"]["tflops"], 77);
  EXPECT_EQ(made.system["mem2"]["GiB"], 512);
  EXPECT_EQ(made.system["networks"].size(), 2U);
  const std::string of = ": of " + base_file();
  EXPECT_THAT(made.notes, ElementsAre("mem2: no copy between host and GPU", "vector.bfloat16" + of,
                                      "mem2" + of, "networks[0].ops.p2p" + of, "networks[1]" + of));
}

TEST_F(SystemOfCoefficientsTest, WithoutABaseRefusesAnOperationThatCalculonNeeds) {
  EXPECT_THAT(message_of([&] { exported(""); }),
              HasSubstr("node.json: networks[0].ops: p2p not measured, and Calculon needs all four: expected "
                        "--base SYSTEM"));
}

TEST_F(SystemOfCoefficientsTest, WithAllFourNeedsNoBase) {
  ordered_json whole = core::json_from<ordered_json>(measured_node);
  whole["networks"][0]["ops"]["p2p"] = {1, nullptr};
  const SystemOfCoefficients made = system_of_coefficients(with(whole), "");
  EXPECT_FALSE(made.system["networks"][0]["ops"].contains("all_to_all"));
  EXPECT_EQ(made.system["mem2"]["GiB"], 0);
  EXPECT_THAT(made.notes, ElementsAre("mem2: no copy between host and GPU"));
}

/// The measured node, whose networks are within it and over several.
ordered_json of_both_tiers(int processors_over) {
  ordered_json system = core::json_from<ordered_json>(measured_node);
  ordered_json& networks = system["networks"];
  networks.push_back(networks[0]);
  networks[0]["tier"] = "within a node";
  networks[1]["tier"] = "over nodes";
  networks[1]["bandwidth"] = 45;
  networks[1]["size"] = processors_over;
  return system;
}

TEST_F(SystemOfCoefficientsTest, HasBothTiersWhereBothWereMeasured) {
  const SystemOfCoefficients made = system_of_coefficients(with(of_both_tiers(32)), base_file());
  const ordered_json& networks = made.system["networks"];
  ASSERT_EQ(networks.size(), 2U);
  EXPECT_EQ(networks[0]["bandwidth"], 400);
  EXPECT_EQ(networks[1]["bandwidth"], 45);
  EXPECT_EQ(networks[0]["ops"]["p2p"][0], 1.25);
  EXPECT_EQ(networks[1]["ops"]["p2p"][0], 1);
  for (const ordered_json& network : networks) EXPECT_FALSE(network.contains("tier"));
  EXPECT_THAT(made.notes, Contains("networks[1].ops.p2p: of " + base_file()));
}

TEST_F(SystemOfCoefficientsTest, TakesTheTierThatWasNotMeasuredFromTheBaseOrLeavesItOut) {
  const SystemOfCoefficients made = system_of_coefficients(with(of_both_tiers(1)), base_file());
  ASSERT_EQ(made.system["networks"].size(), 2U);
  EXPECT_EQ(made.system["networks"][1], core::json_from<ordered_json>(whole_base)["networks"][1]);
  ordered_json whole = of_both_tiers(1);
  whole["networks"][0]["ops"]["p2p"] = {1, nullptr};
  EXPECT_EQ(system_of_coefficients(with(whole), "").system["networks"].size(), 1U);
}

TEST_F(SystemOfCoefficientsTest, WithoutCollectivesTakesAllNetworksFromTheBase) {
  ordered_json alone = core::json_from<ordered_json>(measured_node);
  alone["networks"][0]["size"] = 1;
  const SystemOfCoefficients made = system_of_coefficients(with(alone), base_file());
  EXPECT_EQ(made.system["networks"], core::json_from<ordered_json>(whole_base)["networks"]);
  EXPECT_THAT(made.notes, Contains("networks: of " + base_file()));
  EXPECT_THAT(made.notes, Not(Contains(HasSubstr("networks[1]"))));
}

TEST_F(SystemOfCoefficientsTest, RefusesAFileThatDescribesNoSystem) {
  EXPECT_THAT(message_of([&] { system_of_coefficients(with(nullptr), base_file()); }),
              HasSubstr("node.json: describes no system"));
  EXPECT_THAT(message_of([&] { system_of_coefficients(base_file(), base_file()); }),
              HasSubstr("base.json: "));
}

}  // namespace
}  // namespace assay::model::calculon
