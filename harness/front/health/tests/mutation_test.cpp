// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Mutations of a check's input, in which anything is taken away, emptied or garbled: none ends in PASS.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/front/health/describe.hpp"
#include "harness/front/health/finding_verdicts.hpp"
#include "harness/front/health/tests/planted_fault.hpp"

namespace assay::health {
namespace {

/// Every kind of file that a check of this machine reads, of one unit each.
std::vector<std::string> files_read() {
  const std::string pci = "/sys/bus/pci/devices/", port = "/sys/class/infiniband/mlx5_2/ports/1/";
  std::vector<std::string> files{"/proc/sys/kernel/random/boot_id",
                                 "/dev/kmsg",
                                 "/sys/devices/system/edac/mc/mc1/ce_count",
                                 "/sys/devices/system/edac/mc/mc1/ue_count",
                                 "/sys/class/infiniband_verbs/uverbs2/ibdev",
                                 "/sys/class/infiniband/mlx5_2/fw_ver",
                                 pci + "0000:33:00.0/vendor",
                                 pci + "0000:33:00.0/class",
                                 pci + "0000:35:00.0/vendor",
                                 pci + "0000:35:00.0/class"};
  for (const char* device : {"0000:33:00.0", "0000:35:00.0", "0000:31:00.0"})
    for (const char* file : {"current_link_speed", "current_link_width", "aer_dev_correctable",
                             "aer_dev_nonfatal", "aer_dev_fatal"})
      files.push_back(pci + device + "/" + file);
  for (const char* file : {"state", "phys_state", "rate", "link_layer"}) files.push_back(port + file);
  for (const char* counter :
       {"symbol_error", "link_error_recovery", "link_downed", "port_rcv_errors",
        "port_rcv_remote_physical_errors", "port_rcv_switch_relay_errors", "port_xmit_discards",
        "port_xmit_constraint_errors", "port_rcv_constraint_errors", "local_link_integrity_errors",
        "excessive_buffer_overrun_errors"})
    files.push_back(port + "counters/" + counter);
  for (const char* counter : {"out_of_sequence", "packet_seq_err", "implied_nak_seq_err",
                              "local_ack_timeout_err", "duplicate_request"})
    files.push_back(port + "hw_counters/" + counter);
  return files;
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char letter : info.param)
    name += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  return name;
}

void expect_no_pass(Patient& patient, const std::string& what) {
  const auto findings = patient.check();
  EXPECT_NE(verdict_word(findings), "PASS") << what << ": " << summary(findings);
}

class MutatedFile : public testing::TestWithParam<std::string> {};

TEST_P(MutatedFile, GoneIsNoPass) {
  Patient patient("hgx_ib");
  patient.node().remove(GetParam());
  expect_no_pass(patient, GetParam());
}

TEST_P(MutatedFile, EmptyIsNoPass) {
  Patient patient("hgx_ib");
  patient.node().write(GetParam(), "");
  expect_no_pass(patient, GetParam());
}

TEST_P(MutatedFile, GarbledIsNoPass) {
  if (GetParam().ends_with("boot_id")) GTEST_SKIP() << "any word names a start of the node";
  Patient patient("hgx_ib");
  patient.node().write(GetParam(), "?!\n");
  expect_no_pass(patient, GetParam());
}

TEST_P(MutatedFile, UnreadableIsNoPass) {
  Patient patient("hgx_ib");
  patient.node().make_unreadable(GetParam());
  expect_no_pass(patient, GetParam());
}

TEST_P(MutatedFile, GoneSinceTheLastCheckIsNoPass) {
  Patient patient("hgx_ib");
  ASSERT_EQ(verdict_word(patient.check()), "PASS");
  patient.node().remove(GetParam());
  expect_no_pass(patient, GetParam());
}

INSTANTIATE_TEST_SUITE_P(, MutatedFile, testing::ValuesIn(files_read()), name_of);

TEST(MutatedGpuTable, EveryFieldDroppedIsNoPass) {
  const Patient whole("hgx_ib");
  const nlohmann::json row = Patient("hgx_ib").gpus()["gpus"][2];
  for (const auto& [key, value] : row.items()) {
    Patient patient("hgx_ib");
    patient.gpus()["gpus"][2].erase(key);
    expect_no_pass(patient, key);
  }
}

TEST(MutatedGpuTable, EveryFieldOfAnotherKindIsRefused) {
  const nlohmann::json row = Patient("hgx_ib").gpus()["gpus"][2];
  for (const auto& [key, value] : row.items()) {
    Patient patient("hgx_ib");
    patient.gpus()["gpus"][2][key] = nlohmann::json::object({{"nonsense", 1}});
    EXPECT_THROW(patient.check(), core::Error) << key;
  }
}

TEST(MutatedGpuTable, EmptyIsNoPass) {
  Patient patient("hgx_ib");
  patient.gpus()["gpus"].clear();
  expect_no_pass(patient, "an empty table");
}

TEST(MutatedGpuTable, CutOffIsRefused) {
  Patient patient("hgx_ib");
  patient.gpus() = "{\"gpus\": [";
  EXPECT_THROW(patient.check(), core::Error);
}

TEST(MutatedGpuTable, EveryMaskWithABitOfHeatOrBrakeFails) {
  for (const std::uint64_t bad : {0x8U, 0x40U, 0x80U})
    for (std::uint64_t other = 0; other < 0x200; other += 29) {
      Patient patient("pcie");
      patient.gpus()["gpus"][0]["clocks_event_reasons"] = bad | other;
      EXPECT_EQ(verdict_word(patient.check()), "FAIL") << (bad | other);
    }
}

TEST(MutatedCounters, OfEveryWidthThatStandFullAreNoPass) {
  for (const auto& [name, full] :
       {std::pair{"counters/local_link_integrity_errors", 15ULL}, std::pair{"counters/link_downed", 255ULL},
        std::pair{"counters/port_rcv_errors", 65535ULL}}) {
    Patient patient("hgx_ib");
    patient.node().write(fmt::format("/sys/class/infiniband/mlx5_2/ports/1/{}", name), std::to_string(full));
    const auto findings = patient.check();
    EXPECT_EQ(verdict_word(findings), "INCONCLUSIVE") << name << ": " << summary(findings);
  }
}

TEST(MutatedCounters, OfThirtyTwoBitsThatWrapHaveMoved) {
  Patient patient("hgx_ib");
  const std::string file = "/sys/class/infiniband/mlx5_2/ports/1/hw_counters/out_of_sequence";
  patient.node().write(file, "4294967295");
  ASSERT_NE(verdict_word(patient.check()), "FAIL");
  patient.node().write(file, "0");
  EXPECT_EQ(verdict_word(patient.check()), "FAIL");
}

TEST(MutatedLog, RecordsMissingSinceTheLastCheckAreNoPass) {
  Patient patient("host");
  ASSERT_EQ(verdict_word(patient.check()), "PASS");
  patient.node().write("/dev/kmsg", "6,9,9000000,-;later\n");
  expect_no_pass(patient, "records 3 to 8 were overwritten");
}

TEST(MutatedLog, ThatEndsBeforeTheWindowIsNoPass) {
  Patient patient("host");
  ASSERT_EQ(verdict_word(patient.check()), "PASS");
  patient.node().write("/dev/kmsg", "6,0,0,-;one\n");
  expect_no_pass(patient, "the log went back");
}

TEST(MutatedLogbook, OfAnotherSchemaGarbledOrCutOffIsRefused) {
  Patient patient("host");
  ASSERT_EQ(verdict_word(patient.check()), "PASS");
  const auto written = core::json_from<nlohmann::json>(core::read_whole_file(patient.logbook()));
  for (const int schema : {0, 2}) {
    nlohmann::json other = written;
    other["schema"] = schema;
    std::ofstream(patient.logbook()) << other;
    EXPECT_THROW(patient.check(), core::Error) << schema;
  }
  for (const auto& [key, value] : written.items()) {
    if (key == "history") continue;  // versions before it wrote none: it begins now
    nlohmann::json other = written;
    other.erase(key);
    std::ofstream(patient.logbook()) << other;
    EXPECT_THROW(patient.check(), core::Error) << key;
  }
  std::ofstream(patient.logbook()) << written.dump().substr(0, 100);
  EXPECT_THROW(patient.check(), core::Error);
}

}  // namespace
}  // namespace assay::health
