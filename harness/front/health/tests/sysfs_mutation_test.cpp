// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every file of every kind that a check reads in sysfs: missing, empty, no number, extreme; of one unit and
// of all.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/front/health/finding_verdicts.hpp"
#include "harness/front/health/tests/mutation_ward.hpp"
#include "harness/link/counter_table.hpp"

namespace assay::health {
namespace {

using Text = std::optional<std::string>;

const std::string full_64_bits = "18446744073709551615";

std::string in_port(int adapter, const std::string& file) {
  return fmt::format("/sys/class/infiniband/mlx5_{}/ports/1/{}", adapter, file);
}

std::vector<std::string> in_every_port(const std::string& file) {
  std::vector<std::string> all;
  for (int adapter = 0; adapter < 8; ++adapter) all.push_back(in_port(adapter, file));
  return all;
}

const std::vector<std::string> port_counters{"symbol_error",
                                             "link_error_recovery",
                                             "link_downed",
                                             "port_rcv_errors",
                                             "port_xmit_discards",
                                             "port_rcv_remote_physical_errors",
                                             "VL15_dropped",
                                             "port_rcv_switch_relay_errors",
                                             "port_xmit_constraint_errors",
                                             "port_xmit_wait",
                                             "port_rcv_constraint_errors",
                                             "local_link_integrity_errors",
                                             "port_xmit_data",
                                             "port_rcv_data",
                                             "excessive_buffer_overrun_errors",
                                             "port_xmit_packets",
                                             "port_rcv_packets"};
const std::vector<std::string> hw_counters{
    "out_of_sequence",   "packet_seq_err", "implied_nak_seq_err", "local_ack_timeout_err",
    "duplicate_request", "out_of_buffer",  "rnr_nak_retry_err",   "req_transport_retries_exceeded",
    "np_cnp_sent",       "rp_cnp_handled"};

bool shows_loss(link::CounterSource source, const std::string& name) {
  return link::find_counter(source, name)->speaks_for >= core::LinkClass::lossy;
}

void mutate_counter(MutationWard& ward, const std::string& folder, const std::string& name,
                    link::CounterSource source) {
  const std::string file = folder + name;
  std::vector<Text> values{full_64_bits};
  // Counters of traffic or of congestion alone may be absent.
  if (shows_loss(source, name))
    for (const char* text : {"", "?!", "-1", "1.5", "0x10", "18446744073709551616", "N/A (no PMA)"})
      values.emplace_back(text);
  if (shows_loss(source, name)) values.emplace_back(std::nullopt);
  const link::CounterFact& fact = *link::find_counter(source, name);
  if (fact.bits < 64) values.emplace_back(std::to_string(link::full(fact)));
  if (fact.bits < 64) values.emplace_back(std::to_string(link::full(fact) + 1));
  for (const Text& value : values) {
    ward.file(in_port(2, file), value, value.value_or("gone"));
    // The driver lacks a counter that no port has.
    const bool optional = name == "out_of_buffer";
    if (value == full_64_bits || (shows_loss(source, name) && !optional))
      ward.files(in_every_port(file), value, value.value_or("gone"));
  }
}

TEST(MutatedSysfs, OfCountersOfPortsDoesNotPass) {
  MutationWard ward("hgx_ib");
  for (const std::string& name : port_counters)
    mutate_counter(ward, "counters/", name, link::CounterSource::port);
  for (const std::string& name : hw_counters)
    mutate_counter(ward, "hw_counters/", name, link::CounterSource::hw);
}

TEST(MutatedSysfs, OfStatesOfPortsDoesNotPass) {
  MutationWard ward("hgx_ib");
  for (const char* file : {"state", "phys_state", "rate", "link_layer"})
    for (const Text& text :
         {Text{}, Text{""}, Text{"?!"}, Text{"0"}, Text{"-1"}, Text{"Ethernet"}, Text{"1: DOWN"},
          Text{"2: INIT"}, Text{"3: Disabled"}, Text{"100 Gb/sec (1X NDR)"}, Text{"800 Gb/sec (8X NDR)"},
          Text{"0 Gb/sec (4X NDR)"}}) {
      ward.file(in_port(2, file), text, text.value_or("gone"));
      ward.files(in_every_port(file), text, text.value_or("gone"));
    }
  for (const Text& text : {Text{}, Text{""}, Text{"?!"}, Text{"28.36.1010"}})
    ward.file("/sys/class/infiniband/mlx5_2/fw_ver", text, text.value_or("gone"));
  for (int adapter = 0; adapter < 8; ++adapter)
    for (const Text& text : {Text{}, Text{""}, Text{"mlx5_9"}})
      ward.file(fmt::format("/sys/class/infiniband_verbs/uverbs{}/ibdev", adapter), text,
                text.value_or("gone"));
}

TEST(MutatedSysfs, OfPcieLinksDoesNotPass) {
  MutationWard ward("hgx_ib");
  const auto mutate = [&](const char* file, const std::vector<Text>& texts) {
    for (const char* device : {"0000:33:00.0", "0000:35:00.0", "0000:31:00.0"})
      for (const Text& text : texts)
        ward.file(fmt::format("/sys/bus/pci/devices/{}/{}", device, file), text, text.value_or("gone"));
  };
  mutate("current_link_width", {{}, "", "?!", "0", "-1", "255", "1", "8", "32", "Unknown"});
  mutate("current_link_speed",
         {{}, "", "?!", "0", "-1", "Unknown", "2.5 GT/s PCIe", "16.0 GT/s PCIe", "64.0 GT/s PCIe"});
  // A GPU in a slot of half the lanes or speed, at both of its ends.
  ward.files({"/sys/bus/pci/devices/0000:33:00.0/current_link_width",
              "/sys/bus/pci/devices/0000:33:00.0/max_link_width"},
             "8", "x8 of x8");
  ward.files({"/sys/bus/pci/devices/0000:33:00.0/current_link_speed",
              "/sys/bus/pci/devices/0000:33:00.0/max_link_speed"},
             "16.0 GT/s PCIe", "half of the speed");
  for (const char* device : {"0000:33:00.0", "0000:35:00.0"})
    for (const char* file : {"vendor", "class"})
      for (const Text& text : {Text{}, Text{""}, Text{"?!"}})
        ward.file(fmt::format("/sys/bus/pci/devices/{}/{}", device, file), text, text.value_or("gone"));
}

TEST(MutatedSysfs, OfErrorCountersOfTheHostDoesNotPass) {
  MutationWard ward("hgx_ib");
  const std::vector<std::string> totals{"aer_dev_correctable TOTAL_ERR_COR",
                                        "aer_dev_nonfatal TOTAL_ERR_NONFATAL",
                                        "aer_dev_fatal TOTAL_ERR_FATAL"};
  for (const char* device : {"0000:33:00.0", "0000:35:00.0", "0000:31:00.0", "0000:30:01.0"})
    for (const std::string& total : totals) {
      const std::string name = total.substr(total.find(' ') + 1);
      for (const Text& text :
           {Text{}, Text{""}, Text{"?!"}, Text{name}, Text{name + " x"}, Text{name + " -1"},
            Text{name + " " + full_64_bits}, Text{name + " 4294967295"}})
        ward.file(fmt::format("/sys/bus/pci/devices/{}/{}", device, total.substr(0, total.find(' '))), text,
                  text.value_or("gone"));
    }
  for (const char* controller : {"mc0", "mc1"})
    for (const char* file : {"ce_count", "ue_count"})
      for (const Text& text :
           {Text{}, Text{""}, Text{"?!"}, Text{"-1"}, Text{"4294967295"}, Text{full_64_bits}})
        ward.file(fmt::format("/sys/devices/system/edac/mc/{}/{}", controller, file), text,
                  text.value_or("gone"));
  for (const Text& text : {Text{}, Text{""}}) ward.file("/proc/sys/kernel/random/boot_id", text, "no start");
}

TEST(MutatedSysfs, OfWhatSurroundsGpusDoesNotPass) {
  MutationWard ward("hgx_ib");
  const std::string ones(4096, '\xff');
  const auto mutate = [&](const std::string& file, const std::vector<Text>& texts) {
    for (const Text& text : texts) ward.file(file, text, file + ": " + text.value_or("gone").substr(0, 20));
  };
  mutate("/answers/clock", {{}, "", "?!", "8193 3"});
  mutate("/answers/space", {{}, "", "?!", "/ 1 1 1", "/ 0 0 0 0", "/other 10 9 10 9"});
  mutate("/answers/nvme0.smart",
         {{}, "", "?!", ones.substr(0, 511), ones.substr(0, 512), std::string(512, '\0')});
  mutate("/answers/fabric_manager", {{}, "", "?!"});
  mutate("/proc/driver/nvidia/version", {{}, "", "?!"});
  mutate("/proc/mounts", {{}});
  mutate("/sys/bus/pci/devices/0000:42:00.0/config", {{}, "", ones.substr(0, 64), ones});
  mutate("/sys/bus/pci/devices/0000:43:00.0/iommu_group/type", {{}, ""});
}

TEST(MutatedSysfs, OfModulesDoesNotPass) {
  MutationWard ward("hgx_roce");
  const std::string ones(128, '\xff'), zeros(128, '\0');
  for (const char* half : {"0.0", "0.128", "3.128"})
    for (const Text& text : {Text{}, Text{""}, Text{ones}, Text{zeros}, Text{ones.substr(0, 127)}})
      ward.file(fmt::format("/answers/eth4.module.{}", half), text, half);
  for (const Text& text : {Text{}, Text{""}, Text{"?!"}, Text{"rx_corrected_bits_phy 1"}})
    ward.file("/answers/eth4.statistics", text, text.value_or("gone"));
}

TEST(MutatedSysfs, WithACounterThatNoPortHasAsksWhetherTheDriverHasIt) {
  Patient patient("pcie");
  patient.node().remove("/sys/class/infiniband/mlx5_0/ports/1/hw_counters/req_transport_retries_exceeded");
  EXPECT_EQ(verdict_word(patient.check()), "INCONCLUSIVE");
  patient.expect("absent_counters = [\"req_transport_retries_exceeded\"]");
  EXPECT_EQ(verdict_word(patient.check()), "PASS");
}

TEST(MutatedSysfs, OfAKernelWhoseDriverLacksACounterPasses) {
  Patient patient("pcie");
  patient.node().remove("/sys/class/infiniband/mlx5_0/ports/1/hw_counters/req_transport_retries_exceeded");
  patient.node().write("/proc/sys/kernel/osrelease", "5.15.0-119-generic\n");
  EXPECT_EQ(verdict_word(patient.check()), "PASS");
  patient.node().write("/proc/sys/kernel/osrelease", "6.11.0-9-generic\n");
  EXPECT_EQ(verdict_word(patient.check()), "INCONCLUSIVE");
}

}  // namespace
}  // namespace assay::health
