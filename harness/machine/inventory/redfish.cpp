// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Resources and properties: DMTF DSP0266 and the schemas of DSP8010.
#include "harness/machine/inventory/redfish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/machine/inventory/smbios.hpp"

namespace assay::machine {
namespace {

using Resource = nlohmann::json;

const std::string service = "/redfish/v1";

const Resource& at(const Resource& object, const char* key) {
  static const Resource nothing;
  return object.is_object() && object.contains(key) ? object.at(key) : nothing;
}

std::string text(const Resource& object, const char* key) {
  const Resource& value = at(object, key);
  return value.is_string() ? filled_in(core::valid_text(value.get<std::string>(), "")) : "";
}

std::int64_t whole(const Resource& object, const char* key) {
  constexpr double most = 1e12;
  const Resource& value = at(object, key);
  if (!value.is_number() || !(value.get<double>() > 0 && value.get<double>() < most)) return 0;
  return static_cast<std::int64_t>(value.get<double>());
}

bool is_absent(const Resource& resource) { return text(at(resource, "Status"), "State") == "Absent"; }

class RedfishTree {
 public:
  explicit RedfishTree(std::string folder) : folder_(std::move(folder)) {
    if (core::is_there(folder_ + service + "/index.json")) folder_ += service;
    if (!core::is_there(folder_ + "/index.json"))
      core::usage_error(
          fmt::format("{}: no Redfish tree: expected redfish/v1/index.json, or index.json, in it", folder_));
  }

  Resource root() const { return resource(service); }
  /// The resource that a property links to; null where it links to none that was saved.
  Resource linked(const Resource& from, const char* key) const {
    return resource(text(at(from, key), "@odata.id"));
  }
  std::vector<Resource> members(const Resource& collection) const {
    std::vector<Resource> all;
    const Resource& links = at(collection, "Members");
    if (!links.is_array()) return all;
    for (const Resource& link : links) {
      if (all.size() == most_slots) break;
      if (Resource member = resource(text(link, "@odata.id")); member.is_object())
        all.push_back(std::move(member));
    }
    return all;
  }
  std::vector<Resource> members(const Resource& from, const char* key) const {
    return members(linked(from, key));
  }

 private:
  Resource resource(std::string path) const {
    if (!path.starts_with(service) || path.find("..") != std::string::npos) return {};
    while (path.ends_with('/')) path.pop_back();
    const std::string file = folder_ + path.substr(service.size()) + "/index.json";
    if (!core::is_there(file)) return {};
    constexpr std::size_t most_bytes = 4U << 20;
    Resource found =
        core::json_or_discarded<Resource>(core::read_input(file, "a Redfish resource", most_bytes));
    if (found.is_discarded()) core::usage_error(file + ": not JSON: expected a Redfish resource");
    return found;
  }

  std::string folder_;
};

void fill(std::string& empty, const std::string& value) {
  if (empty.empty()) empty = value;
}

/// Names of settings that may hold what identifies or opens a board, or names a person.
bool is_private(const std::string& name) {
  static constexpr std::array<std::string_view, 19> words{
      "admin", "password", "passwd", "passphrase", "secret",     "token", "credential",
      "key",   "licen",    "serial", "assettag",   "uuid",       "guid",  "hostname",
      "owner", "user",     "phone",  "email",      "certificate"};
  std::string low = name;
  std::ranges::transform(low, low.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return low.find(word) != std::string::npos; });
}

/// An Ethernet or InfiniBand address: pairs of digits with one separator.
bool is_link_address(const std::string& value) {
  if (value.size() < 17 || (value[2] != ':' && value[2] != '-')) return false;
  for (std::size_t place = 0; place < value.size(); ++place)
    if (place % 3 == 2 ? value[place] != value[2]
                       : std::isxdigit(static_cast<unsigned char>(value[place])) == 0)
      return false;
  return true;
}

void take_settings(const Resource& bios, Inventory& into) {
  const Resource& attributes = at(bios, "Attributes");
  if (!attributes.is_object() || !into.bios_settings.empty()) return;
  for (const auto& [name, value] : attributes.items()) {
    const std::string said = value.is_string()                         ? value.get<std::string>()
                             : value.is_number() || value.is_boolean() ? core::json_text(value)
                                                                       : "";
    if (!said.empty() && !is_private(name) && !is_link_address(said))
      into.bios_settings[core::valid_text(name, "")] = core::valid_text(said, "");
  }
}

std::vector<Dimm> dimms_of(const std::vector<Resource>& modules) {
  std::vector<Dimm> dimms;
  for (const Resource& module : modules) {
    const std::string type = text(module, "MemoryDeviceType");
    const std::int64_t mebibytes = whole(module, "CapacityMiB");
    // Baseboards of GPUs list the GPUs' own memory too.
    if (is_absent(module) || mebibytes == 0 || mebibytes > 1 << 30 || type.starts_with("HBM") ||
        type.starts_with("GDDR"))
      continue;
    std::string slot = text(module, "DeviceLocator");
    if (slot.empty()) slot = text(module, "Id");
    dimms.push_back({.slot = slot,
                     .bytes = mebibytes << 20,
                     .type = type,
                     .megatransfers_per_s = static_cast<int>(
                         std::min<std::int64_t>(whole(module, "OperatingSpeedMhz"), 1'000'000)),
                     .maker = text(module, "Manufacturer"),
                     .part = text(module, "PartNumber")});
  }
  name_slots(dimms, std::vector<std::string>(dimms.size()));
  return dimms;
}

void take_systems(const RedfishTree& tree, const Resource& root, Inventory& into) {
  std::vector<Resource> modules;
  for (const Resource& system : tree.members(root, "Systems")) {
    fill(into.bios_version, text(system, "BiosVersion"));
    take_settings(tree.linked(system, "Bios"), into);
    for (Resource& module : tree.members(system, "Memory")) modules.push_back(std::move(module));
  }
  if (into.dimms.empty()) into.dimms = dimms_of(modules);
}

PowerSupply power_supply_of(const Resource& from) {
  std::string slot = text(from, "Id");
  if (slot.empty()) slot = text(from, "MemberId");
  return {.slot = slot,
          .maker = text(from, "Manufacturer"),
          .model = text(from, "Model"),
          .revision = text(from, "FirmwareVersion"),
          .watts = static_cast<int>(std::min<std::int64_t>(whole(from, "PowerCapacityWatts"), 1'000'000))};
}

/// Members of PowerSubsystem, or of Power, which it replaced.
std::vector<PowerSupply> power_supplies_of(const RedfishTree& tree, const Resource& root) {
  std::vector<PowerSupply> supplies;
  for (const Resource& chassis : tree.members(root, "Chassis")) {
    const std::vector<Resource> of_subsystem =
        tree.members(tree.linked(chassis, "PowerSubsystem"), "PowerSupplies");
    const Resource power = of_subsystem.empty() ? tree.linked(chassis, "Power") : Resource();
    const Resource& of_power = at(power, "PowerSupplies");
    for (const Resource& one : of_subsystem)
      if (!is_absent(one)) supplies.push_back(power_supply_of(one));
    if (of_power.is_array())
      for (const Resource& one : of_power)
        if (!is_absent(one)) supplies.push_back(power_supply_of(one));
  }
  name_apart(supplies, "supply");
  return supplies;
}

/// Some vendors write the version into the name: "Installed-159-2.1.3__BIOS.Setup.1-1".
std::string part_of_name(const std::string& id) {
  const auto after = id.rfind("__");
  const bool versioned = id.starts_with("Installed-") || id.starts_with("Current-");
  return versioned && after != std::string::npos ? id.substr(after + 2) : id;
}

void take_firmware(const RedfishTree& tree, const Resource& root, Inventory& into) {
  for (const Resource& one : tree.members(tree.linked(root, "UpdateService"), "FirmwareInventory")) {
    const std::string id = text(one, "Id"), version = text(one, "Version");
    const bool in_use = !id.starts_with("Previous-") && !id.starts_with("Available-");
    if (in_use && !id.empty() && !version.empty()) into.firmware.try_emplace(part_of_name(id), version);
  }
}

}  // namespace

void take_redfish(const std::string& folder, Inventory& into) {
  const RedfishTree tree(folder);
  const Resource root = tree.root();
  take_systems(tree, root, into);
  for (const Resource& manager : tree.members(root, "Managers"))
    if (text(manager, "ManagerType") == "BMC") fill(into.bmc_firmware, text(manager, "FirmwareVersion"));
  if (into.power_supplies.empty()) into.power_supplies = power_supplies_of(tree, root);
  take_firmware(tree, root, into);
}

}  // namespace assay::machine
