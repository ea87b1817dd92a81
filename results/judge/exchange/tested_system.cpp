// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/exchange/tested_system.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

using MachineJson = nlohmann::ordered_json;

std::string word_in(const MachineJson& object, const char* key) {
  if (!object.is_object()) return "";
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string address_in(const MachineJson& part) {
  return part.is_object() && part.contains("pcie") ? word_in(part["pcie"], "address") : "";
}

void add_gpus(const MachineJson& gpus, const std::string& host, TestedSystem& system) {
  std::size_t number = 0;
  for (const MachineJson& gpu : gpus)
    system.add({.id = fmt::format("{}/gpu{}", host, number++),
                .host = host,
                .type = "gpu",
                .name = word_in(gpu, "name"),
                .address = address_in(gpu),
                .serial = word_in(gpu, "serial"),
                .identity = word_in(gpu, "uuid"),
                .firmware = word_in(gpu, "vbios")});
}

void add_adapters(const MachineJson& hcas, const std::string& host, TestedSystem& system) {
  for (const MachineJson& hca : hcas)
    if (const std::string device = word_in(hca, "device"); !device.empty() && !hca.contains("software"))
      system.add({.id = fmt::format("{}/{}", host, device),
                  .host = host,
                  .type = "nic",
                  .name = device,
                  .address = address_in(hca),
                  .identity = word_in(hca, "node_guid"),
                  .chip = word_in(hca, "part"),
                  .firmware = word_in(hca, "firmware"),
                  .firmware_variant = word_in(hca, "board_id")});
}

void add_software(const MachineJson& machine, const std::string& host, TestedSystem& system) {
  if (!machine.is_object() || !machine.contains("versions")) return;
  for (const auto& [name, version] : machine["versions"].items())
    if (version.is_string()) system.add(TestedSoftware{host, name, version.get<std::string>()});
}

void add_machine(const ContextRecord& context, TestedSystem& system) {
  const MachineJson& machine = context.machine;
  system.add({.id = context.host, .host = context.host, .type = "node", .name = word_in(machine, "product")});
  if (machine.is_object() && machine.contains("gpus")) add_gpus(machine["gpus"], context.host, system);
  if (machine.is_object() && machine.contains("hcas")) add_adapters(machine["hcas"], context.host, system);
  add_software(machine, context.host, system);
}

}  // namespace

void TestedSystem::add(TestedPart part) {
  if (!by_id_.emplace(part.id, parts_.size()).second) return;
  hosts_.insert(part.host);
  parts_.push_back(std::move(part));
}

const TestedPart* TestedSystem::part_of(std::string_view unit) const {
  while (!unit.empty()) {
    if (const auto found = by_id_.find(unit); found != by_id_.end()) return &parts_[found->second];
    const std::size_t end = unit.find_last_of("/ ");
    unit = unit.substr(0, end == std::string_view::npos ? 0 : end);
  }
  const auto rest = by_id_.find(rest_);
  return rest == by_id_.end() ? nullptr : &parts_[rest->second];
}

TestedSystem tested_system(std::span<const Store* const> stores, const std::set<std::string>& runs) {
  TestedSystem system;
  for (const Store* store : stores)
    for (const StoredRun& run : all_runs(*store)) {
      if (!runs.contains(whole_run(run.run_id))) continue;
      for (const ContextRecord& context : contexts_of(*store, run))
        if (!system.hosts().contains(context.host)) add_machine(context, system);
    }
  return system;
}

}  // namespace assay::results
