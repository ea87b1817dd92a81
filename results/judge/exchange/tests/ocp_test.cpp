// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// OCP output byte for byte, and those rules of its specification that no schema states.
#include "results/judge/exchange/ocp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "harness/core/text/json_from.hpp"
#include "harness/core/version.hpp"
#include "results/judge/tests/sample_verdicts.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::json;

ToldRun told_run() {
  const ToldRun::Time start{std::chrono::seconds(1)};
  return {.command_line = "assay accept 'a b'", .started = start, .now = [start] {
            return start + std::chrono::milliseconds(250);
          }};
}

TestedSystem two_gpus() {
  TestedSystem system;
  system.add({.id = "h1", .host = "h1", .type = "node", .name = "A server"});
  system.add({.id = "h1/gpu0",
              .host = "h1",
              .type = "gpu",
              .name = "A GPU",
              .address = "0000:1b:00.0",
              .serial = "165",
              .identity = "GPU-6d",
              .firmware = "96.00"});
  system.add({.id = "h1/mlx5_0",
              .host = "h1",
              .type = "nic",
              .name = "mlx5_0",
              .chip = "MT4129",
              .firmware = "28.39",
              .firmware_variant = "MT_0838"});
  system.add(TestedSoftware{"h1", "kernel", "6.8"});
  return system;
}

std::string ocp_text(const Verdicts& verdicts) {
  return core::written(
      [&](const core::ByteSink& sink) { write_ocp(verdicts, two_gpus(), told_run(), sink); });
}

std::vector<Json> ocp_lines(const Verdicts& verdicts) {
  std::vector<Json> lines;
  std::istringstream text(ocp_text(verdicts));
  for (std::string line; std::getline(text, line);) lines.push_back(core::json_from<Json>(line));
  return lines;
}

Verdicts of_one(VerdictRow row) {
  Verdicts verdicts{.command = "check", .rows = {std::move(row)}};
  settle(verdicts);
  return verdicts;
}

const std::string ocp_of_the_sample =
    R"({"schemaVersion":{"major":2,"minor":0},"sequenceNumber":0,"timestamp":"1970-01-01T00:00:01.000Z"}
{"testRunArtifact":{"testRunStart":{"name":"assay accept","version":")" +
    core::version() +
    R"(","commandLine":"assay accept 'a b'","parameters":{},"dutInfo":{"dutInfoId":"h1","hardwareInfos":[{"hardwareInfoId":"h1","name":"A server","computerSystem":"h1","partType":"node"},{"hardwareInfoId":"h1/gpu0","name":"A GPU","computerSystem":"h1","partType":"gpu","location":"0000:1b:00.0","serialNumber":"165"},{"hardwareInfoId":"h1/mlx5_0","name":"mlx5_0","computerSystem":"h1","partType":"nic","manufacturerPartNumber":"MT4129"}],"softwareInfos":[{"softwareInfoId":"h1/kernel","name":"kernel","version":"6.8","softwareType":"SYSTEM","computerSystem":"h1"},{"softwareInfoId":"h1/gpu0 firmware","name":"h1/gpu0 firmware","version":"96.00","softwareType":"FIRMWARE","computerSystem":"h1"},{"softwareInfoId":"h1/mlx5_0 firmware","name":"h1/mlx5_0 firmware","version":"28.39","softwareType":"FIRMWARE","computerSystem":"h1","revision":"MT_0838"}],"metadata":{"identities":{"h1/gpu0":"GPU-6d"}}},"metadata":{"subject":"2 gpus","origin":"imported","expectedFalseFlags":0.01}}},"sequenceNumber":1,"timestamp":"1970-01-01T00:00:01.000Z"}
{"testRunArtifact":{"log":{"severity":"INFO","message":"simulated"}},"sequenceNumber":2,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testStepArtifact":{"testStepStart":{"name":"h1/gpu1 copy"},"testStepId":"0"},"sequenceNumber":3,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testStepArtifact":{"measurement":{"name":"copy","value":44.5,"unit":"GB/s","validators":[{"type":"GREATER_THAN_OR_EQUAL","value":48.0,"metadata":{"source":"a \"runbook\" & <more>"}}],"hardwareInfoId":"h1","metadata":{"lower":44.0,"upper":45.0,"n":3,"origin":"imported"}},"testStepId":"0"},"sequenceNumber":4,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testStepArtifact":{"diagnosis":{"verdict":"gpu-FAIL","type":"FAIL","message":"beyond\nthe limit\nrun 1\\2\nlimit: at least 48 GB/s, a \"runbook\" & <more>\nmeaning: slow\naction: drain","hardwareInfoId":"h1"},"testStepId":"0"},"sequenceNumber":5,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testStepArtifact":{"testStepEnd":{"status":"COMPLETE"},"testStepId":"0"},"sequenceNumber":6,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testStepArtifact":{"testStepStart":{"name":"h2 all points"},"testStepId":"1"},"sequenceNumber":7,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testStepArtifact":{"diagnosis":{"verdict":"host-NOT_RUN","type":"UNKNOWN","message":"not there"},"testStepId":"1"},"sequenceNumber":8,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testStepArtifact":{"testStepEnd":{"status":"SKIP"},"testStepId":"1"},"sequenceNumber":9,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testStepArtifact":{"testStepStart":{"name":"h1/gpu0 copy"},"testStepId":"2"},"sequenceNumber":10,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testStepArtifact":{"measurement":{"name":"copy","value":49.5,"unit":"GB/s","validators":[{"type":"GREATER_THAN_OR_EQUAL","value":48.0,"metadata":{"source":"a runbook"}}],"hardwareInfoId":"h1/gpu0","metadata":{"lower":49.0,"upper":50.0,"n":3,"smallestDefect":0.04,"origin":"imported"}},"testStepId":"2"},"sequenceNumber":11,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testStepArtifact":{"diagnosis":{"verdict":"gpu-PASS","type":"PASS","message":"within the limit\nlimit: at least 48 GB/s, a runbook","hardwareInfoId":"h1/gpu0"},"testStepId":"2"},"sequenceNumber":12,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testStepArtifact":{"testStepEnd":{"status":"COMPLETE"},"testStepId":"2"},"sequenceNumber":13,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testStepArtifact":{"testStepStart":{"name":"racks"},"testStepId":"3"},"sequenceNumber":14,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testStepArtifact":{"diagnosis":{"verdict":"rack-excused","type":"UNKNOWN","message":"too few"},"testStepId":"3"},"sequenceNumber":15,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testStepArtifact":{"testStepEnd":{"status":"SKIP"},"testStepId":"3"},"sequenceNumber":16,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testRunArtifact":{"error":{"symptom":"evidence-is-incomplete","message":"FAIL: 1 of 4 were not judged"}},"sequenceNumber":17,"timestamp":"1970-01-01T00:00:01.250Z"}
{"testRunArtifact":{"testRunEnd":{"status":"COMPLETE","result":"FAIL"}},"sequenceNumber":18,"timestamp":"1970-01-01T00:00:01.250Z"}
)";

TEST(Ocp, IsThis) { EXPECT_EQ(ocp_text(test::sample_verdicts()), ocp_of_the_sample); }

/// Every kind of row at once, the whole FAIL.
Verdicts of_every_verdict() {
  Verdicts verdicts{.command = "accept"};
  for (const Verdict verdict : every_verdict)
    verdicts.rows.push_back({.unit = "h1", .kind = "host", .metric = "m", .verdict = verdict});
  settle(verdicts);
  return verdicts;
}

TEST(Ocp, NumbersItsLinesAndPairsItsSteps) {
  std::string open;
  std::int64_t number = 0;
  std::set<std::string> ended;
  for (const Json& line : ocp_lines(of_every_verdict())) {
    EXPECT_EQ(line.at("sequenceNumber"), number++);
    if (!line.contains("testStepArtifact")) {
      EXPECT_EQ(open, "") << line;
      continue;
    }
    const Json& step = line.at("testStepArtifact");
    EXPECT_EQ(step.size(), 2U) << step;
    const std::string id = step.at("testStepId");
    if (step.contains("testStepStart")) {
      EXPECT_EQ(open, "") << step;
      open = id;
    }
    EXPECT_EQ(open, id) << step;
    if (!step.contains("testStepEnd")) continue;
    EXPECT_TRUE(ended.insert(id).second) << step;
    open = "";
  }
  EXPECT_EQ(ended.size(), every_verdict.size());
}

TEST(Ocp, BeginsWithTheSchemaAndARunThatItsLastLineEnds) {
  const std::vector<Json> lines = ocp_lines(of_every_verdict());
  EXPECT_EQ(lines.front().at("schemaVersion"), Json({{"major", 2}, {"minor", 0}}));
  EXPECT_TRUE(lines.at(1).at("testRunArtifact").contains("testRunStart"));
  EXPECT_TRUE(lines.back().at("testRunArtifact").contains("testRunEnd"));
}

/// The end of the run, the type of its diagnosis and the end of its step.
std::string ends_of(const VerdictRow& row) {
  std::string ends;
  for (const Json& line : ocp_lines(of_one(row))) {
    const Json& step = line.value("testStepArtifact", Json::object());
    if (step.contains("diagnosis")) ends += step["diagnosis"].at("type").get<std::string>() + " ";
    if (step.contains("testStepEnd")) ends += step["testStepEnd"].at("status").get<std::string>() + " ";
    const Json& run = line.value("testRunArtifact", Json::object());
    if (run.contains("error")) ends += "error ";
    if (run.contains("testRunEnd"))
      ends += run["testRunEnd"].at("status").get<std::string>() + " " +
              run["testRunEnd"].at("result").get<std::string>();
  }
  return ends;
}

TEST(Ocp, PassesOnlyWhatIsFit) {
  EXPECT_EQ(ends_of({.verdict = Verdict::pass}), "PASS COMPLETE COMPLETE PASS");
  EXPECT_EQ(ends_of({.verdict = Verdict::degraded}), "PASS COMPLETE COMPLETE PASS");
  EXPECT_EQ(ends_of({.verdict = Verdict::fail}), "FAIL COMPLETE COMPLETE FAIL");
  EXPECT_EQ(ends_of({.verdict = Verdict::inconclusive}), "UNKNOWN COMPLETE error SKIP NOT_APPLICABLE");
  EXPECT_EQ(ends_of({.verdict = Verdict::not_run}), "UNKNOWN SKIP error SKIP NOT_APPLICABLE");
  EXPECT_EQ(ends_of({.excused = true}), "UNKNOWN SKIP error SKIP NOT_APPLICABLE");
}

TEST(Ocp, OfNothingIsSkipped) {
  const std::vector<Json> lines = ocp_lines({.command = "accept"});
  EXPECT_EQ(lines.back().at("testRunArtifact").at("testRunEnd"),
            Json({{"status", "SKIP"}, {"result", "NOT_APPLICABLE"}}));
}

TEST(Ocp, HasAValidatorForEachBoundAndNoNumberThatIsNone) {
  const VerdictRow row{.metric = "m",
                       .verdict = Verdict::pass,
                       .value = Number{2, -INFINITY, 3},
                       .limit = VerdictLimit{.lowest = 1, .highest = 4}};
  const std::string text = ocp_text(of_one(row));
  EXPECT_THAT(text,
              testing::HasSubstr(R"("validators":[{"type":"GREATER_THAN_OR_EQUAL","value":1.0},)"
                                 R"({"type":"LESS_THAN_OR_EQUAL","value":4.0}],"metadata":{"upper":3.0})"));
  EXPECT_THAT(ocp_text(of_one({.metric = "m", .value = Number{NAN}})),
              testing::Not(testing::AnyOf(testing::HasSubstr("null"), testing::HasSubstr("measurement"))));
}

TEST(TestedSystem, FindsThePartOfAUnitAndGivesTheRestToTheNodeWhereAsked) {
  TestedSystem system = two_gpus();
  EXPECT_EQ(system.part_of("h1/mlx5_0/1")->id, "h1/mlx5_0");
  EXPECT_EQ(system.part_of("h1/gpu0 NVLink 4")->id, "h1/gpu0");
  EXPECT_EQ(system.part_of("h1/gpu1")->id, "h1");
  EXPECT_EQ(system.part_of("h2"), nullptr);
  EXPECT_EQ(system.part_of(""), nullptr);
  system.give_the_rest_to("h1");
  EXPECT_EQ(system.part_of("nvme0")->id, "h1");
}

TEST(TestedSystem, IsReadFromTheLatestRunOfEachHost) {
  Store store("");
  ContextRecord context = test::sample_context();
  context.machine = {
      {"product", "A server"},
      {"versions", {{"CUDA driver", "13.0"}}},
      {"gpus", {{{"name", "A GPU"}, {"serial", "165"}, {"pcie", {{"address", "0000:1b:00.0"}}}}}},
      {"hcas", {{{"device", "mlx5_0"}, {"node_guid", "g"}}, {{"device", "rxe0"}, {"software", true}}}}};
  store.add(context);
  store.add(test::sample_end());
  const Store* const stores[] = {&store};
  const TestedSystem system = tested_system(stores, {context.run_id});
  ASSERT_EQ(system.parts().size(), 3U);
  EXPECT_EQ(system.parts()[0].name, "A server");
  EXPECT_EQ(system.parts()[1].id, context.host + "/gpu0");
  EXPECT_EQ(system.parts()[1].serial, "165");
  EXPECT_EQ(system.parts()[1].address, "0000:1b:00.0");
  EXPECT_EQ(system.parts()[2].identity, "g");
  ASSERT_EQ(system.software().size(), 1U);
  EXPECT_EQ(system.software()[0].version, "13.0");
  EXPECT_TRUE(tested_system(stores, {"another"}).parts().empty());
}

}  // namespace
}  // namespace assay::results
