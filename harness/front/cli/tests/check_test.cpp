// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/printable.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "harness/front/health/tests/planted_fault.hpp"
#include "results/judge/verdict/verdicts.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using tests::Said;

/// `assay check` of a made-up machine; its first check leaves files behind that stand for the machine.
class CheckCommand : public testing::Test {
 protected:
  Said check(const std::string& flags = "") {
    return tests::assay_in(
        root(), "check --root . --gpus gpus.json --expect expect.toml --logbook health.json " + flags);
  }
  std::string root() { return patient_.node().root(); }
  health::Patient patient_{"hgx_ib"};
};

TEST_F(CheckCommand, OfAHealthyMachinePasses) {
  patient_.check();
  const Said said = check();
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, HasSubstr("PASS: "));
}

TEST_F(CheckCommand, SaysDegradedInEveryForm) {
  patient_.check();
  patient_.node().write("/sys/bus/pci/devices/0000:43:00.0/iommu_group/type", "DMA-FQ\n");
  const Said text = check("--metrics m.prom --verdicts v.json");
  EXPECT_EQ(text.exit_code, 0) << text.text;
  EXPECT_THAT(text.text, HasSubstr("DEGRADED: 1 noticed"));
  EXPECT_THAT(check("--format line").text, testing::StartsWith("DEGRADED: "));
  EXPECT_THAT(check("--format json").text, HasSubstr("\"verdict\": \"DEGRADED\""));
  EXPECT_THAT(check("--format junit").text, HasSubstr("skipped=\"0\""));
  EXPECT_THAT(check("--format prometheus").text, HasSubstr("verdict=\"DEGRADED\"} 1"));
  EXPECT_THAT(tests::text_of(root() + "/m.prom"), testing::ContainsRegex("assay_check_verdict[^ ]* 1"));
}

TEST_F(CheckCommand, NamesUnitEvidenceAndActionOfAFaultAndFails) {
  patient_.check();
  patient_.node().write("/sys/class/infiniband/mlx5_4/ports/1/state", "1: DOWN\n");
  const Said said = check();
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text,
              testing::AllOf(HasSubstr("rdma.port_state"), HasSubstr("mlx5_4/1"), HasSubstr("DOWN, LinkUp"),
                             HasSubstr("take the node out of service"), HasSubstr("FAIL: 1 failed")));
}

TEST_F(CheckCommand, OfBytesThatAreNoTextGivesWellFormedDocuments) {
  auto& node = patient_.node();
  patient_.check();
  node.write("/sys/class/infiniband/mlx5_4/ports/1/state", "1: DO\xff\033[2JWN\n");
  node.write("/sys/class/dmi/id/product_name", "Server\xfe \033]0;gone\007\xc2\x9b\n");
  std::ofstream(root() + "/dev/kmsg", std::ios::app)
      << "3,3,6000000,-;NVRM: Xid (PCI:0000:1b:00): 79, pid=\xff\xfe, GPU has fallen off the bus.\n";
  for (const std::string format :
       {"json", "text", "csv", "markdown", "junit", "line", "prometheus", "ocp", "ctrf"}) {
    const Said said = check("--verdicts v.json --metrics m.prom --format " + format);
    EXPECT_EQ(said.exit_code, 1) << said.text;
    EXPECT_EQ(core::valid_text(said.text), said.text) << format;
    for (const char* file : {"/v.json", "/m.prom", "/health.json"})
      EXPECT_EQ(core::valid_text(tests::text_of(root() + file)), tests::text_of(root() + file)) << file;
  }
  for (const std::string format : {"json", "text", "topology", "svg"}) {
    const Said said = tests::assay_in(root(), "machine --root . --gpus gpus.json --format " + format);
    EXPECT_EQ(said.exit_code, 0) << said.text;
    EXPECT_EQ(core::valid_text(said.text), said.text) << format;
    const bool has_model = format != "topology";
    EXPECT_EQ(said.text.find("Server\xef\xbf\xbd") != std::string::npos, has_model) << format;
  }
}

TEST_F(CheckCommand, ComparesAnotherNodeWithTheBaselineOfAGoodOne) {
  patient_.check();
  auto& node = patient_.node();
  node.write("/bmc/redfish/v1/index.json", R"({"Systems": {"@odata.id": "/redfish/v1/Systems"}})");
  node.write("/bmc/redfish/v1/Systems/index.json",
             R"({"Members": [{"@odata.id": "/redfish/v1/Systems/1"}]})");
  node.write("/bmc/redfish/v1/Systems/1/index.json",
             R"({"Bios": {"@odata.id": "/redfish/v1/Systems/1/Bios"}})");
  const std::string settings = "/bmc/redfish/v1/Systems/1/Bios/index.json";
  node.write(settings, R"({"Attributes": {"NumaPerSocket": "NPS1"}})");
  const Said baseline =
      tests::assay_in(root(), "machine --root . --gpus gpus.json --redfish bmc --baseline -o expect.toml");
  EXPECT_EQ(baseline.exit_code, 0) << baseline.text;
  EXPECT_EQ(check("--redfish bmc").exit_code, 0) << check("--redfish bmc").text;
  node.write(settings, R"({"Attributes": {"NumaPerSocket": "NPS4"}})");
  const Said other = check("--redfish bmc");
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.text,
              testing::AllOf(HasSubstr("bios_setting NumaPerSocket"), HasSubstr("'NPS4', 'NPS1'")));
  EXPECT_EQ(check().exit_code, 3) << "what nobody tells is unknown";
  EXPECT_THAT(tests::assay_in(root(), "machine --root . --redfish answers").text,
              HasSubstr("answers: no Redfish tree"));
}

TEST_F(CheckCommand, AsksNobodyForAnotherMachine) {
  patient_.check();
  core::write_whole_file(root() + "/expect.toml", "source = 'us'\n[job]\nnames = ['localhost']\n");
  const Said said = check();
  EXPECT_EQ(said.exit_code, 3);
  EXPECT_THAT(said.text, HasSubstr("it was not asked"));
}

TEST_F(CheckCommand, IsInconclusiveWhereNobodyTellsOfTheGpus) {
  const Said said = tests::assay_in(root(), "check --root . --window 0");
  EXPECT_EQ(said.exit_code, 3);
  EXPECT_THAT(said.text, HasSubstr("no table of its GPUs (--gpus)"));
}

TEST_F(CheckCommand, ShowsWhatWasWaivedAndGivesJson) {
  patient_.check();
  patient_.node().write("/sys/class/infiniband/mlx5_4/ports/1/state", "1: DOWN\n");
  const Said said = check("--without rdma.port_state --format json");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, testing::AllOf(HasSubstr("\"verdict\": \"PASS\""), HasSubstr("\"excused\": true"),
                                        HasSubstr("\"because\": \"waived: ")));
}

TEST_F(CheckCommand, TellsTestRunnersAndMonitorsAndKeepsItsVerdicts) {
  patient_.check();
  patient_.node().write("/sys/class/infiniband/mlx5_4/ports/1/state", "1: DOWN\n");
  const Said junit = check("--format junit --verdicts v.json");
  EXPECT_EQ(junit.exit_code, 1);
  EXPECT_THAT(junit.text,
              testing::AllOf(HasSubstr("<testsuite name=\"assay.check.mlx5_4/1\""),
                             HasSubstr("<failure message=\"FAIL: failed: "), HasSubstr("action: drain")));
  EXPECT_EQ(results::read_verdicts(root() + "/v.json").verdict, results::Verdict::fail);
  EXPECT_THAT(check("--format prometheus").text,
              HasSubstr("metric=\"rdma.port_state\",origin=\"imported\",unit=\"mlx5_4/1\"} 4\n"));
  EXPECT_THAT(check("--format csv").text, HasSubstr("FAIL,mlx5_4/1,rdma,rdma.port_state,"));
}

TEST_F(CheckCommand, NamesTheHardwareOfADiagnosisInOcp) {
  patient_.check();
  patient_.node().write("/sys/class/infiniband/mlx5_4/ports/1/state", "1: DOWN\n");
  const Said said = check("--format ocp");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text,
              testing::AllOf(HasSubstr(R"({"hardwareInfoId":"mlx5_4","name":"mlx5_4",)"),
                             HasSubstr(R"("serialNumber":"1650000000003")"),
                             testing::ContainsRegex(
                                 R"re("verdict":"rdma-FAIL","type":"FAIL".*"hardwareInfoId":"mlx5_4")re"),
                             HasSubstr(R"("testRunEnd":{"status":"COMPLETE","result":"FAIL"})")));
}

TEST_F(CheckCommand, WritesMetricsWholeOrSaysWhyNot) {
  patient_.check();
  patient_.node().write("/sys/class/infiniband/mlx5_4/ports/1/state", "1: DOWN\n");
  const Said said = check("--metrics m.prom --format line");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text,
              testing::MatchesRegex("FAIL: .imported. mlx5_4/1 rdma.port_state: failed: [^\n]*\n"));
  const std::string metrics = core::read_whole_file(root() + "/m.prom");
  EXPECT_THAT(metrics, testing::AllOf(
                           HasSubstr("check=\"rdma.port_state\",unit=\"mlx5_4/1\",gpu=\"\",serial=\"\"} 3\n"),
                           HasSubstr("origin=\"imported\"} 1\n"), HasSubstr("assay_port_events_total{")));
  const Said refused = check("--metrics none/m.prom");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.text, HasSubstr("assay: none/m.prom"));
}

TEST_F(CheckCommand, ClearsOnlyWithAReasonAndOnlyWhatStands) {
  patient_.check();
  EXPECT_EQ(check("--clear kernel.xid").exit_code, 2);
  EXPECT_THAT(check("--clear kernel.xid").text, HasSubstr("expected --because REASON"));
  const Said said = check("--clear kernel.xid --because replaced");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr("kernel.xid has no failure to clear"));
}

TEST_F(CheckCommand, SaysInOneLineWhatIsWrongWithItsInput) {
  EXPECT_THAT(check().text, HasSubstr("assay: expect.toml: cannot be read"));
  patient_.check();
  EXPECT_THAT(check("--without gpu.everything").text, HasSubstr("no check is named 'gpu.everything'"));
  patient_.node().write("/expect.toml", "gpus = 8\n");
  const Said said = check();
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr("expect.toml:1: source: missing"));
}

TEST_F(CheckCommand, KeepsItsLogbookInAFileBehindALinkAndInNothingElse) {
  namespace fs = std::filesystem;
  patient_.check();
  const fs::path folder = root();
  const auto with = [&](const std::string& name) {
    return tests::assay_in(
        root(), "check --root . --gpus gpus.json --expect expect.toml --window 0 --logbook " + name);
  };
  fs::create_symlink("kept.json", folder / "link.json");
  EXPECT_NE(with("link.json").exit_code, 2);
  EXPECT_TRUE(fs::is_symlink(folder / "link.json"));
  EXPECT_TRUE(fs::is_regular_file(folder / "kept.json"));
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  for (const std::string name : {"pipe", "/dev/null", "."}) {
    const Said said = with(name);
    EXPECT_EQ(said.exit_code, 2) << name;
    EXPECT_THAT(said.text, HasSubstr("cannot be a logbook: not a regular file")) << name;
  }
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
  fs::create_symlink("loop", folder / "loop");
  EXPECT_EQ(with("loop").exit_code, 2);
}

TEST_F(CheckCommand, TakesNoEmptyNameForAFile) {
  patient_.check();
  for (const std::string option : {"--expect", "--gpus", "--root", "--logbook", "--verdicts"}) {
    const Said said = tests::assay_in(root(), "check --window 0 " + option + " ''");
    EXPECT_EQ(said.exit_code, 2) << option;
    EXPECT_THAT(said.text, HasSubstr(option + ": expected the name of a file, got an empty one"));
  }
}

}  // namespace
}  // namespace assay::cli
