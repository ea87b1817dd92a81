// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/inventory/redfish.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/machine/inventory/facts.hpp"
#include "harness/machine/tests/fake_node.hpp"

namespace assay::machine {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

json link(const std::string& path) { return {{"@odata.id", "/redfish/v1/" + path}}; }

/// A tree in DMTF's layout: a server, and the baseboard of its GPUs as a second system.
class Redfish : public testing::Test {
 protected:
  Redfish() {
    save("", {{"Systems", link("Systems")},
              {"Managers", link("Managers")},
              {"Chassis", link("Chassis")},
              {"UpdateService", link("UpdateService")},
              {"AccountService", link("AccountService")}});
    save_all("Systems", {"Server", "Baseboard"});
    save("Systems/Server", {{"BiosVersion", "2.4a"},
                            {"SerialNumber", "PRIVATE-1"},
                            {"Bios", link("Systems/Server/Bios")},
                            {"Memory", link("Systems/Server/Memory")}});
    save("Systems/Baseboard", {{"Memory", link("Systems/Baseboard/Memory")}});
    save("Systems/Server/Bios", {{"Attributes",
                                  {{"NumaPerSocket", "NPS1"},
                                   {"ProcHyperthreading", "Enabled"},
                                   {"CoreDisable", 0},
                                   {"AdminPassword", "PRIVATE-2"},
                                   {"AdminPhone", "PRIVATE-3"},
                                   {"SystemSerialNumber", "PRIVATE-4"},
                                   {"EmbeddedNic1", "A0:88:C2:03:00:12"},
                                   {"AssetTag", "PRIVATE-5"},
                                   {"Unset", nullptr}}}});
    save_all("Systems/Server/Memory", {"A1", "A2", "A3"});
    save("Systems/Server/Memory/A1", dimm("CPU0 A1"));
    save("Systems/Server/Memory/A2", dimm("CPU0 A2"));
    save("Systems/Server/Memory/A3", {{"Id", "A3"}, {"Status", {{"State", "Absent"}}}});
    save_all("Systems/Baseboard/Memory", {"GPU_0_DRAM"});
    save("Systems/Baseboard/Memory/GPU_0_DRAM", {{"CapacityMiB", 81920}, {"MemoryDeviceType", "HBM3"}});
    save_firmware();
    save_power();
  }

  void save_firmware() {
    save_all("Managers", {"BMC"});
    save("Managers/BMC", {{"ManagerType", "BMC"}, {"FirmwareVersion", "1.17"}, {"UUID", "PRIVATE-6"}});
    save("UpdateService", {{"FirmwareInventory", link("UpdateService/FirmwareInventory")}});
    save_all("UpdateService/FirmwareInventory",
             {"CPLD0", "Installed-1-24.5__NIC.1", "Previous-1-24.4__NIC.1"});
    save("UpdateService/FirmwareInventory/CPLD0", {{"Id", "CPLD0"}, {"Version", "0x0B"}});
    for (const char* id : {"Installed-1-24.5__NIC.1", "Previous-1-24.4__NIC.1"})
      save(std::string("UpdateService/FirmwareInventory/") + id,
           {{"Id", id}, {"Version", std::string(id).substr(12, 2)}});
  }

  void save_power() {
    save_all("Chassis", {"1U"});
    save("Chassis/1U",
         {{"PowerSubsystem", link("Chassis/1U/PowerSubsystem")}, {"Power", link("Chassis/1U/Power")}});
    save("Chassis/1U/PowerSubsystem", {{"PowerSupplies", link("Chassis/1U/PowerSubsystem/PowerSupplies")}});
    save_all("Chassis/1U/PowerSubsystem/PowerSupplies", {"Bay1"});
    save("Chassis/1U/PowerSubsystem/PowerSupplies/Bay1", supply("Bay1"));
    save("Chassis/1U/Power", {{"PowerSupplies", {supply("0"), supply("1")}}});
  }

  static json dimm(const std::string& locator) {
    return {{"DeviceLocator", locator},  {"CapacityMiB", 65536},         {"MemoryDeviceType", "DDR5"},
            {"OperatingSpeedMhz", 4800}, {"PartNumber", "EX64G-4800  "}, {"SerialNumber", "PRIVATE-7"}};
  }
  static json supply(const std::string& id) {
    return {{"Id", id}, {"Model", "P3000"}, {"PowerCapacityWatts", 3000.0}, {"SerialNumber", "PRIVATE-8"}};
  }
  void save(const std::string& path, const json& resource) { write(path, resource.dump()); }
  void write(const std::string& path, const std::string& text) {
    node_.write("/bmc/redfish/v1/" + path + "/index.json", text);
  }
  void save_all(const std::string& path, const std::vector<std::string>& names) {
    json members = json::array();
    for (const std::string& name : names) members.push_back(link(path + "/" + name));
    save(path, {{"Members", members}});
  }
  std::vector<std::string> read(Machine machine = {}) {
    take_redfish(node_.root() + "/bmc", machine.inventory);
    std::vector<std::string> lines;
    for (const Fact& fact : facts_of(machine)) lines.push_back(fact.name() + ": " + fact.value);
    return lines;
  }
  std::string said() {
    try {
      read();
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage);
      return error.what();
    }
    return "nothing";
  }

  FakeNode node_;
};

TEST_F(Redfish, TellsFirmwareModulesSuppliesAndSettingsAndNothingPrivate) {
  const std::vector<std::string> lines = read();
  EXPECT_THAT(lines,
              ElementsAre("bios_version: 2.4a", "bmc_firmware: 1.17",
                          "dimm CPU0 A1: 64 GiB DDR5 4800 MT/s EX64G-4800",
                          "dimm CPU0 A2: 64 GiB DDR5 4800 MT/s EX64G-4800", "power_supply Bay1: 3000 W P3000",
                          "firmware CPLD0: 0x0B", "firmware NIC.1: 24", "bios_setting CoreDisable: 0",
                          "bios_setting NumaPerSocket: NPS1", "bios_setting ProcHyperthreading: Enabled"));
}

TEST_F(Redfish, DoesNotReplaceWhatTheSystemShows) {
  Machine machine;
  machine.inventory.bios_version = "2.5";
  machine.inventory.dimms = {{.slot = "A1", .bytes = 32LL << 30, .type = "DDR5", .maker = "", .part = ""}};
  const std::vector<std::string> lines = read(machine);
  EXPECT_EQ(lines[0], "bios_version: 2.5");
  EXPECT_EQ(lines[2], "dimm A1: 32 GiB DDR5");
}

TEST_F(Redfish, OfOlderControllersHasItsSuppliesInPower) {
  node_.remove("/bmc/redfish/v1/Chassis/1U/PowerSubsystem");
  EXPECT_THAT(read(),
              testing::IsSupersetOf({"power_supply 0: 3000 W P3000", "power_supply 1: 3000 W P3000"}));
}

TEST_F(Redfish, MayHaveItsServiceRootInTheFolderItself) {
  Inventory inventory;
  take_redfish(node_.root() + "/bmc/redfish/v1", inventory);
  EXPECT_EQ(inventory.bios_version, "2.4a");
}

TEST_F(Redfish, WithHolesGivesTheRest) {
  node_.remove("/bmc/redfish/v1/Managers");
  write("Systems/Server",
        R"({"BiosVersion": 7, "Bios": [], "Memory": {"@odata.id": "/redfish/v1/../../etc"}})");
  save("Chassis", {{"Members", "none"}});
  EXPECT_THAT(read(), ElementsAre("firmware CPLD0: 0x0B", "firmware NIC.1: 24"));
}

TEST_F(Redfish, ThatIsNoneIsRefusedByName) {
  write("Systems", "{\"Members\": [");
  EXPECT_THAT(said(), HasSubstr("/bmc/redfish/v1/Systems/index.json: not JSON: expected a Redfish resource"));
  node_.remove("/bmc/redfish/v1/index.json");
  EXPECT_THAT(said(), HasSubstr("/bmc: no Redfish tree: expected redfish/v1/index.json"));
}

}  // namespace
}  // namespace assay::machine
