// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From the driver's library to the finding. Numbers: nvml.h 13.3.29, as in github.com/NVIDIA/go-nvml at
// 2f9e261f (gen/nvml/nvml.h); bits 14 and 15: nvlink_inband_msg.h of
// github.com/NVIDIA/open-gpu-kernel-modules at 448d5cc6.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/front/health/checks/checks.hpp"
#include "harness/machine/tests/fake_node.hpp"
#include "harness/machine/tests/with_setting.hpp"

namespace assay::health {
namespace {

using machine::WithSetting;
using testing::ElementsAre;
using testing::Field;

/// Findings of the check on the first GPU of the fake library.
std::vector<Finding> said_of_health(const std::string& check = "gpu.fabric_health") {
  const machine::FakeNode node;
  const Snapshot now = read_snapshot(node.root(), read_gpus(machine::Nvml(FAKE_NVML)));
  std::vector<Finding> findings = judge({now, now, Expectation{}});
  std::erase_if(findings, [&](const Finding& finding) {
    return finding.check != check || finding.unit != now.gpus.at(0).unit();
  });
  return findings;
}

auto is(Status status, const std::string& evidence) {
  return testing::AllOf(Field(&Finding::status, status), Field(&Finding::evidence, evidence));
}

TEST(FabricHealth, OfAFabricThatIsWholePassesAndSaysWhatIsNotReported) {
  EXPECT_THAT(said_of_health(), ElementsAre(is(Status::passed, "healthy (mask 0x51aa)")));
  const WithSetting gb300("FAKE_NVML_FABRIC_MASK", "0x1aa");
  EXPECT_THAT(said_of_health(), ElementsAre(is(Status::passed,
                                               "healthy (mask 0x1aa); not reported: partition, "
                                               "fabric manager")));
}

TEST(FabricHealth, DegradedDoesNotPassThoughTheGpuJoinedItsFabric) {
  const WithSetting mask("FAKE_NVML_FABRIC_MASK", "0x51a9");
  EXPECT_THAT(said_of_health("gpu.fabric_manager"),
              ElementsAre(is(Status::passed, "joined the NVLink fabric")));
  EXPECT_THAT(said_of_health(), ElementsAre(is(Status::failed, "bandwidth degraded")));
}

TEST(FabricHealth, EachBitIsAFindingWithItsWords) {
  const std::pair<const char*, const char*> bits[] = {
      {"0x51a9", "bandwidth degraded"},
      {"0x51a6", "route recovery in progress"},
      {"0x519a", "route unhealthy"},
      {"0x516a", "access timeout recovery in progress"},
      {"0x52aa", "incorrect configuration: system GUID"},
      {"0x53aa", "incorrect configuration: serial number of the chassis"},
      {"0x54aa", "incorrect configuration: no partition"},
      {"0x55aa", "incorrect configuration: not enough NVLinks"},
      {"0x56aa", "incorrect configuration: firmware of the GPU"},
      {"0x57aa", "incorrect configuration: location"},
      {"0x58aa", "incorrect configuration: state of the GPU"},
      {"0x61aa", "no partition assigned"}};
  for (const auto& [mask, words] : bits) {
    const WithSetting set("FAKE_NVML_FABRIC_MASK", mask);
    EXPECT_THAT(said_of_health(), ElementsAre(is(Status::failed, words))) << mask;
  }
  const WithSetting several("FAKE_NVML_FABRIC_MASK", "0x5699"), summary("FAKE_NVML_FABRIC_SUMMARY", "2");
  EXPECT_THAT(said_of_health(),
              ElementsAre(is(Status::failed, "summary: unhealthy"), is(Status::failed, "bandwidth degraded"),
                          is(Status::failed, "route unhealthy"),
                          is(Status::failed, "incorrect configuration: firmware of the GPU")));
}

TEST(FabricHealth, SummariesOfLimitedCapacityFail) {
  const WithSetting summary("FAKE_NVML_FABRIC_SUMMARY", "3");
  EXPECT_THAT(said_of_health(), ElementsAre(is(Status::failed, "summary: limited capacity")));
}

TEST(FabricHealth, ThatThisVersionDoesNotKnowIsSaid) {
  const WithSetting mask("FAKE_NVML_FABRIC_MASK", "0x10df9a"), summary("FAKE_NVML_FABRIC_SUMMARY", "9");
  EXPECT_THAT(said_of_health(),
              ElementsAre(is(Status::unknown, "summary 9, which this version does not know"),
                          is(Status::failed, "route unhealthy"),
                          is(Status::unknown, "configuration: value 15, which this version does not know"),
                          is(Status::unknown, "fabric manager: value 3, which this version does not know"),
                          is(Status::unknown, "bits 0x100000, which this version does not know")));
}

TEST(FabricHealth, IsUnknownWhereTheDriverReportsNoneAndTheStateStillPasses) {
  const WithSetting version("FAKE_NVML_FABRIC_VERSION", "1");
  EXPECT_THAT(said_of_health("gpu.fabric_manager"),
              ElementsAre(is(Status::passed, "joined the NVLink fabric")));
  EXPECT_THAT(said_of_health(),
              ElementsAre(is(Status::unknown, "the driver does not report the health of its NVLink fabric")));
}

TEST(FabricHealth, OfOlderDriversNeedsBandwidthAndRoutesAndNoSummary) {
  const WithSetting version("FAKE_NVML_FABRIC_VERSION", "2");
  {
    const WithSetting mask("FAKE_NVML_FABRIC_MASK", "0xaa");
    EXPECT_THAT(said_of_health(), ElementsAre(Field(&Finding::status, Status::passed)));
  }
  const WithSetting mask("FAKE_NVML_FABRIC_MASK", "0x2");
  EXPECT_THAT(said_of_health(), ElementsAre(is(Status::unknown,
                                               "the driver does not report: route recovery, "
                                               "routes, access timeouts")));
}

TEST(C2cLinks, AreReadWithTheirStateAndErrors) {
  const WithSetting links("FAKE_NVML_C2C", "10"), down("FAKE_NVML_C2C_DOWN", "4");
  EXPECT_THAT(said_of_health("gpu.c2c_state"),
              ElementsAre(is(Status::failed, "9 of 10 links active; inactive: 4")));
  const machine::FakeNode node;
  const Snapshot now = read_snapshot(node.root(), read_gpus(machine::Nvml(FAKE_NVML)));
  const auto counts = [&](const std::string& name) {
    for (const Counter& counter : now.counters)
      if (counter.unit == now.gpus.at(0).unit() + " C2C 2" && counter.name == name) return counter.value;
    return std::optional<std::uint64_t>();
  };
  EXPECT_EQ(counts("c2c_crc_errors"), 1U);
  EXPECT_EQ(counts("c2c_replays"), 2U);
  EXPECT_EQ(counts("c2c_repeated_replays"), 3U);
}

}  // namespace
}  // namespace assay::health
