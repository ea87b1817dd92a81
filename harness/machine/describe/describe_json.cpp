// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The machine as part of a context record.
#include "harness/machine/cpu_list.hpp"
#include "harness/machine/describe/describe.hpp"
#include "harness/machine/gpu_support.hpp"

namespace assay::machine {

namespace {

using Json = nlohmann::ordered_json;

/// An object that leaves out unknown values: an empty text, an empty optional, a zero where zero means
/// unknown.
class Object {
 public:
  Object& text(const char* key, const std::string& value) {
    if (!value.empty()) json_[key] = value;
    return *this;
  }
  template <class Number>
  Object& known(const char* key, Number value) {
    if (value != Number{}) json_[key] = value;
    return *this;
  }
  template <class Value>
  Object& maybe(const char* key, const std::optional<Value>& value) {
    if (value) json_[key] = *value;
    return *this;
  }
  Object& value(const char* key, Json value) {
    json_[key] = std::move(value);
    return *this;
  }
  Json take() { return std::move(json_); }

 private:
  Json json_ = Json::object();
};

template <class Item, class Function>
Json list(const std::vector<Item>& items, Function describe) {
  Json all = Json::array();
  for (const Item& item : items) all.push_back(describe(item));
  return all;
}

Json cache_json(const Cache& cache) {
  return Object()
      .value("level", cache.level)
      .text("type", cache.type)
      .value("bytes", cache.bytes)
      .known("line_bytes", cache.line_bytes)
      .value("instances", cache.instances)
      .take();
}

Json cpu_json(const Cpu& cpu) {
  return Object()
      .text("vendor", cpu.vendor)
      .text("model", cpu.model)
      .known("family", cpu.family)
      .known("model_number", cpu.model_number)
      .known("stepping", cpu.stepping)
      .text("microcode", cpu.microcode)
      .known("sockets", cpu.sockets)
      .known("cores", cpu.cores)
      .value("threads", cpu.threads)
      .maybe("base_mhz", cpu.base_mhz)
      .maybe("max_mhz", cpu.max_mhz)
      .maybe("current_mhz", cpu.current_mhz)
      .text("governor", cpu.governor)
      .maybe("boost", cpu.boost)
      .value("features", cpu.features)
      .value("caches", list(cpu.caches, cache_json))
      .take();
}

Json node_json(const NumaNode& node) {
  Object object;
  object.value("id", node.id);
  if (node.socket >= 0) object.value("socket", node.socket);
  return object.value("bytes", node.bytes)
      .known("cores", node.cores)
      .value("cpus", format_cpu_list(node.cpus))
      .value("distances", node.distances)
      .take();
}

Json memory_json(const Memory& memory) {
  return Object()
      .value("bytes", memory.bytes)
      .value("available_bytes", memory.available_bytes)
      .maybe("limit_bytes", memory.limit_bytes)
      .value("page_bytes", memory.page_bytes)
      .text("transparent_huge_pages", memory.transparent_huge_pages)
      .value("huge_page_pools", list(memory.huge_page_pools,
                                     [](const auto& pool) {
                                       return Json{{"page_bytes", pool.first}, {"free_pages", pool.second}};
                                     }))
      .take();
}

Json dimm_json(const Dimm& dimm) {
  return Object()
      .value("slot", dimm.slot)
      .value("bytes", dimm.bytes)
      .text("type", dimm.type)
      .known("megatransfers_per_s", dimm.megatransfers_per_s)
      .text("maker", dimm.maker)
      .text("part", dimm.part)
      .take();
}

Json power_supply_json(const PowerSupply& supply) {
  return Object()
      .text("slot", supply.slot)
      .text("maker", supply.maker)
      .text("model", supply.model)
      .text("revision", supply.revision)
      .known("watts", supply.watts)
      .take();
}

Json drive_json(const NvmeDrive& drive) {
  return Object()
      .value("name", drive.name)
      .text("address", drive.address)
      .text("model", drive.model)
      .text("firmware", drive.firmware)
      .take();
}

Json inventory_json(const Inventory& inventory) {
  Object object;
  object.text("bios_vendor", inventory.bios_vendor)
      .text("bios_version", inventory.bios_version)
      .text("bios_date", inventory.bios_date)
      .text("bmc_firmware", inventory.bmc_firmware)
      .known("numa_nodes", inventory.numa_nodes)
      .known("sockets", inventory.sockets)
      .value("dimms", list(inventory.dimms, dimm_json))
      .value("power_supplies", list(inventory.power_supplies, power_supply_json))
      .value("nvme_drives", list(inventory.drives, drive_json));
  if (!inventory.firmware.empty()) object.value("firmware", inventory.firmware);
  if (!inventory.bios_settings.empty()) object.value("bios_settings", inventory.bios_settings);
  return object.take();
}

Json link_json(const PcieLink& link) {
  Object object;
  object.text("address", link.address)
      .known("speed_gt_per_s", link.speed_gt_per_s)
      .known("width", link.width)
      .known("max_speed_gt_per_s", link.max_speed_gt_per_s)
      .known("max_width", link.max_width);
  if (link.numa_node >= 0) object.value("numa_node", link.numa_node);
  return object.text("host_bridge", link.host_bridge).value("path", link.path).take();
}

Json gpu_json(const Gpu& gpu) {
  return Object()
      .value("index", gpu.index)
      .text("name", gpu.name)
      .text("uuid", gpu.uuid)
      .text("serial", gpu.serial)
      .text("vbios", gpu.vbios)
      .text("compute_capability", gpu.compute_capability)
      .text("support", support_of(gpu).word)
      .known("sm_count", gpu.sm_count)
      .known("memory_bytes", gpu.memory_bytes)
      .known("l2_bytes", gpu.l2_bytes)
      .known("memory_bus_bits", gpu.memory_bus_bits)
      .known("sm_clock_mhz", gpu.sm_clock_mhz)
      .known("max_sm_clock_mhz", gpu.max_sm_clock_mhz)
      .known("memory_clock_mhz", gpu.memory_clock_mhz)
      .known("max_memory_clock_mhz", gpu.max_memory_clock_mhz)
      .known("power_limit_w", gpu.power_limit_w)
      .known("default_power_limit_w", gpu.default_power_limit_w)
      .known("temperature_c", gpu.temperature_c)
      .text("ecc_mode", gpu.ecc_mode)
      .text("mig_mode", gpu.mig_mode)
      .text("persistence_mode", gpu.persistence_mode)
      .maybe("nvlinks_active", gpu.nvlinks_active)
      .value("pcie", link_json(gpu.pcie))
      .take();
}

Json gid_json(const Gid& gid) {
  return Object()
      .value("index", gid.index)
      .text("gid", gid.gid)
      .text("type", gid.type)
      .text("netdev", gid.netdev)
      .take();
}

Json hca_json(const Hca& hca) {
  return Object()
      .value("device", hca.device)
      .value("port", hca.port)
      .text("firmware", hca.firmware)
      .text("board_id", hca.board_id)
      .text("part", hca.part)
      .text("description", hca.description)
      .known("software", hca.software)
      .text("node_guid", hca.node_guid)
      .text("port_guid", hca.port_guid)
      .text("system_image_guid", hca.system_image_guid)
      .text("state", hca.state)
      .text("physical_state", hca.physical_state)
      .text("link_layer", hca.link_layer)
      .text("rate", hca.rate)
      .text("netdev", hca.netdev)
      .value("bond_members", hca.bond_members)
      .known("lid", hca.lid)
      .known("mtu_bytes", hca.mtu_bytes)
      .value("gids", list(hca.gids, gid_json))
      .value("nearest_gpus", hca.nearest_gpus.indices)
      .text("nearest_gpu_distance", hca.nearest_gpus.distance)
      .value("pcie", link_json(hca.pcie))
      .take();
}

Json versions_json(const std::vector<Version>& versions) {
  Json all = Json::object();
  for (const Version& one : versions) all[one.component] = one.version;
  return all;
}

}  // namespace

Json to_json(const Machine& machine) {
  const auto distance_json = [](const Distance& one) {
    return Json{{"from", one.from}, {"to", one.to}, {"distance", one.distance}};
  };
  return Object()
      .text("host", machine.host)
      .text("os", machine.os)
      .text("kernel", machine.kernel)
      .text("virtualization", machine.virtualization)
      .text("product", machine.product)
      .value("cpu", cpu_json(machine.cpu))
      .value("numa", list(machine.numa, node_json))
      .value("memory", memory_json(machine.memory))
      .value("inventory", inventory_json(machine.inventory))
      .value("gpus", list(machine.gpus, gpu_json))
      .text("gpu_unavailable", machine.gpu_unavailable)
      .text("driver_too_old", machine.driver_too_old)
      .text("cuda_compat", machine.cuda_compat)
      .value("hcas", list(machine.hcas, hca_json))
      .value("switches", list(machine.switches, link_json))
      .value("distances", list(machine.distances, distance_json))
      .value("versions", versions_json(machine.versions))
      .value("notes", machine.notes)
      .take();
}

}  // namespace assay::machine
