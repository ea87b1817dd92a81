// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts of a node, read from SMBIOS, dmidecode's text and sysfs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "harness/machine/describe/describe.hpp"
#include "harness/machine/inventory/facts.hpp"
#include "harness/machine/inventory/smbios.hpp"
#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/tests/fake_node.hpp"
#include "harness/machine/tests/smbios_table.hpp"

namespace assay::machine {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Machine looked_at(const FakeNode& node) { return look(node.root(), Nvml("/nonexistent/libnvidia-ml.so.1")); }

std::vector<std::string> lines_of(const std::vector<Fact>& facts) {
  std::vector<std::string> lines;
  for (const Fact& fact : facts) lines.push_back(fact.name() + ": " + fact.value);
  return lines;
}

/// Two modules of sockets that number their slots alike, an empty slot, and a power supply that is not there.
std::string table_of_a_node() {
  SmbiosTable table;
  table.add_bios("Example Megatrends", "2.4a", "03/14/2025");
  table.add_dimm({.locator = "DIMM_A1", .bank = "P0", .megabytes = 0x7fff, .extended_megabytes = 65536});
  table.add_dimm({.locator = "DIMM_A1", .bank = "P1", .megabytes = 32767 - 16383, .speed = 4400});
  table.add_dimm({.locator = "DIMM_A2", .bank = "P1", .megabytes = 0});
  table.add_power_supply({.location = "PSU1", .model = "P3000", .watts = 3000});
  table.add_power_supply({.location = "PSU2", .model = "P3000", .present = false});
  table.add_firmware("CPLD0", "0x0B");
  return table.take();
}

TEST(Inventory, IsReadFromTheTableOfSmbios) {
  Inventory inventory;
  take_smbios(table_of_a_node(), inventory);
  EXPECT_EQ(inventory.bios_version, "2.4a");
  EXPECT_EQ(inventory.bios_date, "03/14/2025");
  ASSERT_EQ(inventory.dimms.size(), 2U) << "an empty slot holds no module";
  EXPECT_EQ(inventory.dimms[0].slot, "P0 DIMM_A1");
  EXPECT_EQ(inventory.dimms[0].bytes, 64LL << 30) << "above 32 GiB the size has a field of its own";
  EXPECT_EQ(inventory.dimms[0].type, "DDR5");
  EXPECT_EQ(inventory.dimms[0].megatransfers_per_s, 4800);
  EXPECT_EQ(inventory.dimms[0].part, "EX64G-4800");
  EXPECT_EQ(inventory.dimms[1].slot, "P1 DIMM_A1");
  EXPECT_EQ(inventory.dimms[1].bytes, 16LL << 30);
  EXPECT_EQ(inventory.dimms[1].megatransfers_per_s, 4400);
  ASSERT_EQ(inventory.power_supplies.size(), 1U);
  EXPECT_EQ(inventory.power_supplies[0].slot, "PSU1");
  EXPECT_EQ(inventory.power_supplies[0].watts, 3000);
  EXPECT_EQ(inventory.firmware, (std::map<std::string, std::string>{{"CPLD0", "0x0B"}}));
}

TEST(Inventory, ATableThatIsCutOffGivesWhatComesBefore) {
  const std::string whole = table_of_a_node();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    Inventory inventory;
    take_smbios(std::string_view(whole).substr(0, length), inventory);
    EXPECT_LE(inventory.dimms.size(), 2U);
  }
  Inventory inventory;
  take_smbios(std::string(4096, '\xff'), inventory);
  EXPECT_TRUE(inventory.dimms.empty());
}

constexpr const char* dump =
    "# dmidecode 3.6\nHandle 0x0000, DMI type 0, 26 bytes\nBIOS Information\n\tVendor: Example Megatrends\n"
    "\tVersion: 2.4a\n\tRelease Date: 03/14/2025\n\tCharacteristics:\n\t\tPCI is supported\n\n"
    "Handle 0x0011, DMI type 17, 92 bytes\nMemory Device\n\tSize: 64 GB\n\tLocator: DIMM_A1\n"
    "\tBank Locator: P0\n\tType: DDR5\n\tSpeed: 5600 MT/s\n\tManufacturer: Example\n\tSerial Number: "
    "87654321\n"
    "\tAsset Tag: rack 7\n\tPart Number: EX64G-4800   \n\tConfigured Memory Speed: 4800 MT/s\n\n"
    "Handle 0x0012, DMI type 17, 92 bytes\nMemory Device\n\tSize: No Module Installed\n\tLocator: DIMM_A2\n\n"
    "Handle 0x0020, DMI type 39, 22 bytes\nSystem Power Supply\n\tLocation: To Be Filled By O.E.M.\n\tName: "
    "PSU1\n"
    "\tSerial Number: 99\n\tModel Part Number: P3000\n\tMax Power Capacity: 3000 W\n\tStatus: Present, OK\n";

TEST(Inventory, IsReadFromTheTextOfDmidecode) {
  FakeNode node;
  build_two_sockets(node);
  node.write("/answers/dmidecode", dump);
  EXPECT_THAT(lines_of(facts_of(looked_at(node))),
              ElementsAre("bios_vendor: Example Megatrends", "bios_version: 2.4a", "bios_date: 03/14/2025",
                          "microcode: 0x2b000603", "numa_per_socket: 1",
                          "dimm DIMM_A1: 64 GiB DDR5 4800 MT/s Example EX64G-4800",
                          "power_supply PSU1: 3000 W P3000"));
  // A fleet has parts of several makers.
  const auto summary = summary_of(facts_of(looked_at(node)));
  EXPECT_EQ(summary.at("dimm"), "1 x 64 GiB DDR5 4800 MT/s");
  EXPECT_EQ(summary.at("power_supply"), "1 x 3000 W");
}

TEST(Inventory, HasNoSerialNumberAndNoAssetTag) {
  FakeNode node;
  build_two_sockets(node);
  node.write("/sys/firmware/dmi/tables/DMI", table_of_a_node());
  node.write("/sys/class/nvme/nvme0/serial", "S666NE0R\n");
  const Machine machine = looked_at(node);
  ASSERT_EQ(machine.inventory.dimms.size(), 2U);
  for (const std::string& text : {to_json(machine).dump(), to_text(machine)}) {
    EXPECT_THAT(text, HasSubstr("EX64G-4800"));
    for (const char* secret : {"SERIAL", "ASSET", "S666NE0R"}) EXPECT_THAT(text, Not(HasSubstr(secret)));
  }
}

TEST(Inventory, TakesBiosBmcAndDrivesFromSysfs) {
  FakeNode node;
  build_two_sockets(node);
  build_gpus_and_hcas(node);
  node.write("/sys/class/dmi/id/bios_version", "2.4b\n");
  node.write("/sys/class/dmi/id/bios_vendor", "Default string\n");
  node.write("/sys/bus/platform/devices/ipmi_bmc.0/firmware_revision", "1.17\n");
  node.write("/sys/class/nvme/nvme0/address", "0000:c1:00.0\n");
  node.write("/sys/class/nvme/nvme0/model", "Example NVMe 3.84TB                     \n");
  node.write("/sys/class/nvme/nvme0/firmware_rev", "GDC5602Q\n");
  const std::vector<Fact> facts = facts_of(looked_at(node));
  const auto summary = summary_of(facts);
  EXPECT_EQ(summary.at("bios_version"), "2.4b");
  EXPECT_FALSE(summary.contains("bios_vendor")) << "a text that nobody filled in";
  EXPECT_EQ(summary.at("bmc_firmware"), "1.17");
  EXPECT_EQ(summary.at("nvme"), "1 x drive");
  EXPECT_EQ(summary.at("adapter"), "8 x MT_0000000838 firmware 28.39.1002");
  EXPECT_FALSE(summary.contains("dimm")) << "nothing says what modules there are";
}

TEST(Inventory, NotesATableThatOnlyRootCanRead) {
  FakeNode node;
  build_two_sockets(node);
  const auto said = Contains(HasSubstr("memory modules and power supplies are unknown"));
  EXPECT_THAT(looked_at(node).notes, Not(said)) << "a machine without SMBIOS";
  node.make_unreadable("/sys/firmware/dmi/tables/DMI");
  EXPECT_THAT(looked_at(node).notes, said);
}

TEST(Inventory, CountsNumaNodesOfTheMachineAndNotOfThisProcess) {
  FakeNode node;
  build_two_sockets(node);
  node.write("/sys/devices/system/node/node2/cpulist", "\n");  // memory alone, as of a CXL device
  EXPECT_EQ(summary_of(facts_of(looked_at(node))).at("numa_per_socket"), "1");
  node.write("/sys/devices/system/node/node3/cpulist", "8-11\n");
  node.write("/sys/devices/system/cpu/cpu8/topology/physical_package_id", "0\n");
  EXPECT_EQ(summary_of(facts_of(looked_at(node))).at("numa_per_socket"), "3 on 2 sockets");
}

}  // namespace
}  // namespace assay::machine
