// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/nvml/nvml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/machine/tests/with_setting.hpp"

namespace assay::machine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Nvml, AMissingLibraryIsExplainedInTheLoadersWords) {
  const Nvml nvml("/nonexistent/libnvidia-ml.so.1");
  EXPECT_FALSE(nvml.ready());
  EXPECT_EQ(nvml.unavailable(),
            "/nonexistent/libnvidia-ml.so.1: cannot open shared object file: No such file or directory");
  EXPECT_EQ(nvml.device_count(), 0);
  EXPECT_FALSE(nvml.driver_version());
  EXPECT_FALSE(nvml.cuda_driver_version());
  EXPECT_THAT(nvml.missing_functions(), IsEmpty());
  std::string why;
  EXPECT_FALSE(nvml.device(0, &why));
  EXPECT_EQ(why, nvml.unavailable());
}

TEST(Nvml, ALibraryThatIsNotNvmlIsRefused) {
  const Nvml nvml("libm.so.6");
  EXPECT_FALSE(nvml.ready());
  EXPECT_EQ(nvml.unavailable(), "libm.so.6: has no nvmlInit_v2");
}

TEST(Nvml, AMissingDriverIsExplainedInTheDriversWords) {
  const WithSetting init("FAKE_NVML_INIT", "9");
  const Nvml nvml(FAKE_NVML);
  EXPECT_FALSE(nvml.ready());
  EXPECT_EQ(nvml.unavailable(), "nvmlInit_v2: Driver Not Loaded");
}

TEST(Nvml, TheEnvironmentNamesAnotherLibrary) {
  const WithSetting library("ASSAY_NVML_LIBRARY", FAKE_NVML);
  EXPECT_EQ(Nvml::default_library(), FAKE_NVML);
  EXPECT_TRUE(Nvml().ready());
}

TEST(Nvml, ADriverTellsItsVersionsAndItsGpus) {
  const Nvml nvml(FAKE_NVML);
  ASSERT_TRUE(nvml.ready()) << nvml.unavailable();
  EXPECT_EQ(nvml.driver_version(), "580.95.05");
  EXPECT_EQ(nvml.library_version(), "13.580.95.05");
  EXPECT_EQ(nvml.cuda_driver_version(), "13.0");
  EXPECT_EQ(nvml.device_count(), 8);
  EXPECT_THAT(nvml.missing_functions(), IsEmpty());
}

TEST(Nvml, AGpuIsFoundByItsPciAddress) {
  const Nvml nvml(FAKE_NVML);
  const auto device = nvml.device(std::string("0000:33:00.0"));
  ASSERT_TRUE(device);
  EXPECT_EQ(device->uuid(), "GPU-00000002");
  EXPECT_EQ(device->pci_address(), "0000:33:00.0");
  std::string why;
  EXPECT_FALSE(nvml.device(std::string("0000:99:00.0"), &why));
  EXPECT_EQ(why, "Not Found");
}

TEST(Nvml, ALostGpuIsNoDeviceAndSaysWhy) {
  const WithSetting lost("FAKE_NVML_LOST", "3");
  const Nvml nvml(FAKE_NVML);
  std::string why;
  EXPECT_FALSE(nvml.device(3, &why));
  EXPECT_EQ(why, "GPU is lost");
  EXPECT_TRUE(nvml.device(2));
}

TEST(Nvml, ADeviceOutlivesTheObjectThatGaveIt) {
  std::optional<NvmlDevice> device;
  {
    const Nvml nvml(FAKE_NVML);
    device = nvml.device(0);
  }
  ASSERT_TRUE(device);
  EXPECT_EQ(device->name(), "NVIDIA H100 80GB HBM3");
}

TEST(NvmlDevice, TelemetryIsOneReadingInOurUnits) {
  const auto device = Nvml(FAKE_NVML).device(0);
  ASSERT_TRUE(device);
  const Telemetry now = device->telemetry();
  EXPECT_EQ(now.sm_clock_mhz, 1755);
  EXPECT_EQ(now.memory_clock_mhz, 2619);
  EXPECT_EQ(now.power_w, 701.25);  // the board's, not the driver's average
  EXPECT_EQ(now.temperature_c, 45);
  EXPECT_EQ(now.energy_mj, 123456789U);
  EXPECT_EQ(now.clocks_event_reasons, 0x44U);
  EXPECT_EQ(device->power_w(), 690.5);
  EXPECT_EQ(device->memory_temperature_c(), 61);
  EXPECT_EQ(device->power_limit_w(), 600);
  EXPECT_EQ(device->enforced_power_limit_w(), 590);
  EXPECT_EQ(device->default_power_limit_w(), 700);
}

TEST(NvmlDevice, CountersKeepUnsupportedApartFromZero) {
  const auto device = Nvml(FAKE_NVML).device(0);
  ASSERT_TRUE(device);
  EXPECT_EQ(device->pcie_replays(), 7U);
  const EccErrors ecc = device->ecc_errors();
  EXPECT_EQ(ecc.corrected_volatile, 0U);
  EXPECT_EQ(ecc.corrected_aggregate, 1U);
  EXPECT_EQ(ecc.uncorrected_volatile, 10U);
  EXPECT_FALSE(ecc.uncorrected_aggregate);
  const auto rows = device->remapped_rows();
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->corrected, 1U);
  EXPECT_EQ(rows->uncorrected, 2U);
  EXPECT_TRUE(rows->pending);
  EXPECT_FALSE(rows->failed);
  EXPECT_EQ(device->nvlinks_active(), 17);
}

TEST(NvmlDevice, TellsWhatTheDriverThinksOfItsHealth) {
  const auto device = Nvml(FAKE_NVML).device(0);
  ASSERT_TRUE(device);
  EXPECT_EQ(device->sram_threshold_exceeded(), true);
  EXPECT_EQ(device->recovery_action(), 1U);
  ASSERT_TRUE(device->fabric());
  EXPECT_EQ(device->fabric()->state, 3U);
  EXPECT_EQ(device->fabric()->status, 0U);
  EXPECT_EQ(device->fabric()->domain, "ab000000000000000000000000000000.7");
  EXPECT_EQ(device->compute_processes(), std::vector<unsigned>{4321});
  ASSERT_TRUE(device->nvlinks());
  const auto links = *device->nvlinks();
  ASSERT_EQ(links.size(), 18U);
  EXPECT_FALSE(links[4].active);
  EXPECT_EQ(links[2].replays, 9U);
  EXPECT_FALSE(links[3].replays);
  EXPECT_FALSE(links[2].recoveries);
}

TEST(NvmlDevice, CountsNvlink5ByItsOwnFields) {
  const WithSetting nvlink5("FAKE_NVML_NVLINK5", "1");
  const auto device = Nvml(FAKE_NVML).device(0);
  ASSERT_TRUE(device && device->nvlinks());
  const Nvlink link = device->nvlinks()->at(2);
  EXPECT_FALSE(link.replays || link.crc_errors);
  EXPECT_EQ(link.receive_errors, 4U);
  EXPECT_EQ(link.integrity_errors, 0U);
  EXPECT_EQ(link.recoveries, 3U);
  EXPECT_EQ(device->nvlink_sent_bytes(), 6ULL << 40);
}

// Layouts and numbers of nvml.h 13.3.29, as in github.com/NVIDIA/go-nvml at 2f9e261f, gen/nvml/nvml.h.
TEST(NvmlDevice, TellsTheHealthOfItsFabricByTheNewestVersionThatTheDriverKnows) {
  const auto device = Nvml(FAKE_NVML).device(0);
  ASSERT_TRUE(device);
  for (const int version : {3, 2, 1}) {
    const WithSetting knows("FAKE_NVML_FABRIC_VERSION", std::to_string(version));
    const WithSetting mask("FAKE_NVML_FABRIC_MASK", "0x1a9"), summary("FAKE_NVML_FABRIC_SUMMARY", "3");
    const auto fabric = device->fabric();
    ASSERT_TRUE(fabric) << version;
    EXPECT_EQ(fabric->state, 3U) << version;
    EXPECT_EQ(fabric->domain, "ab000000000000000000000000000000.7") << version;
    ASSERT_EQ(fabric->health.has_value(), version > 1) << version;
    if (version == 1) continue;
    EXPECT_EQ(fabric->health->mask, 0x1a9U) << version;
    EXPECT_EQ(fabric->health->summary, version == 3 ? std::optional(3U) : std::nullopt) << version;
  }
}

TEST(NvmlDevice, TellsItsC2cLinksWithTheirSpeedsAndErrors) {
  const auto device = Nvml(FAKE_NVML).device(0);
  ASSERT_TRUE(device);
  EXPECT_FALSE(device->c2c_links()) << "the driver reports none";
  const WithSetting links("FAKE_NVML_C2C", "10"), down("FAKE_NVML_C2C_DOWN", "4");
  const auto told = device->c2c_links();
  ASSERT_TRUE(told);
  ASSERT_EQ(told->size(), 10U);
  EXPECT_EQ((*told)[3].active, true);
  EXPECT_EQ((*told)[4].active, false);
  EXPECT_EQ((*told)[4].mb_per_s, 44712U);
  EXPECT_EQ((*told)[2].crc_errors, 1U);
  EXPECT_EQ((*told)[2].replays, 2U);
  EXPECT_EQ((*told)[2].repeated_replays, 3U);
  EXPECT_EQ((*told)[3].crc_errors, 0U);
}

TEST(NvmlDevice, BelievesNoNumberOfC2cLinksThatCannotBe) {
  const WithSetting links("FAKE_NVML_C2C", "4000000000");
  EXPECT_FALSE(Nvml(FAKE_NVML).device(0)->c2c_links());
}

void expect_throttle_times() {
  const auto device = Nvml(FAKE_NVML).device(0);
  ASSERT_TRUE(device);
  const auto times = device->throttle_times();
  ASSERT_EQ(times.size(),
            2U);  // the third answer was negative, and nobody holds a clock for minus a nanosecond
  EXPECT_EQ(times[0].limiter, "power");
  EXPECT_EQ(times[0].ns, 5000000000U);
  EXPECT_EQ(times[1].limiter, "hw_thermal");
  EXPECT_EQ(times[1].ns, 250U);
}

TEST(NvmlDevice, ThrottleTimesAreThoseTheDriverTells) { expect_throttle_times(); }

TEST(NvmlDevice, ThrottleTimesAreFoundUnderTheNumbersOfNewerDrivers) {
  const WithSetting numbering("FAKE_NVML_NUMBERS_HIGHER", "1");
  expect_throttle_times();
}

TEST(NvmlDevice, AnOldDriverTellsLessAndNothingFails) {
  const Nvml nvml(FAKE_NVML_OLD);
  ASSERT_TRUE(nvml.ready()) << nvml.unavailable();
  EXPECT_THAT(nvml.missing_functions(), testing::Contains("nvmlDeviceGetRemappedRows"));
  EXPECT_THAT(nvml.missing_functions(), testing::Contains("nvmlDeviceGetTemperature"));
  EXPECT_THAT(nvml.missing_functions(),
              testing::Not(testing::Contains("nvmlDeviceGetCurrentClocksEventReasons")));
  const auto device = nvml.device(0);
  ASSERT_TRUE(device);
  const Telemetry now = device->telemetry();
  EXPECT_EQ(now.power_w, 690.5);
  EXPECT_EQ(now.clocks_event_reasons, 0x4U);
  EXPECT_FALSE(now.temperature_c);
  EXPECT_FALSE(now.energy_mj);
  EXPECT_FALSE(device->remapped_rows());
  EXPECT_FALSE(device->ecc_errors().corrected_volatile);
  EXPECT_FALSE(device->nvlinks_active());
  EXPECT_FALSE(device->sram_threshold_exceeded());
  EXPECT_FALSE(device->fabric());
  EXPECT_FALSE(device->recovery_action());
  EXPECT_FALSE(device->compute_processes());
  EXPECT_FALSE(device->nvlinks());
  EXPECT_FALSE(device->compute_capability());
  EXPECT_THAT(device->throttle_times(), IsEmpty());
}

TEST(ClocksEventReasons, EveryBitHasAName) {
  EXPECT_THAT(clocks_event_reason_names(0), IsEmpty());
  EXPECT_THAT(clocks_event_reason_names(0x44), ElementsAre("sw_power_cap", "hw_thermal_slowdown"));
  EXPECT_THAT(clocks_event_reason_names(0x1FF).size(), 9U);
  EXPECT_THAT(clocks_event_reason_names(1ULL << 63), ElementsAre("bit_63"));
}

}  // namespace
}  // namespace assay::machine
