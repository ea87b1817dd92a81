// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/exchange/ocp_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace assay::results {
namespace {

using DutJson = nlohmann::ordered_json;

void add_word(DutJson& to, const char* key, const std::string& word) {
  if (!word.empty()) to[key] = word;
}

DutJson hardware_info(const TestedPart& part) {
  DutJson info{{"hardwareInfoId", part.id}, {"name", part.name.empty() ? part.id : part.name}};
  add_word(info, "computerSystem", part.host);
  add_word(info, "partType", part.type);
  add_word(info, "location", part.address);
  add_word(info, "serialNumber", part.serial);
  add_word(info, "manufacturerPartNumber", part.chip);
  return info;
}

DutJson software_info(const std::string& id, const char* type, const TestedSoftware& software) {
  DutJson info{{"softwareInfoId", id}, {"name", software.name}};
  add_word(info, "version", software.version);
  info["softwareType"] = type;
  add_word(info, "computerSystem", software.host);
  return info;
}

DutJson software_infos(const TestedSystem& system) {
  DutJson infos = DutJson::array();
  for (const TestedSoftware& software : system.software())
    infos.push_back(software_info(fmt::format("{}/{}", software.host, software.name), "SYSTEM", software));
  for (const TestedPart& part : system.parts()) {
    if (part.firmware.empty()) continue;
    const std::string name = part.id + " firmware";
    infos.push_back(software_info(name, "FIRMWARE", {part.host, name, part.firmware}));
    add_word(infos.back(), "revision", part.firmware_variant);
  }
  return infos;
}

/// UUIDs and GUIDs, for which hardwareInfo has no key.
DutJson identities(const TestedSystem& system) {
  DutJson all = DutJson::object();
  for (const TestedPart& part : system.parts()) add_word(all, part.id.c_str(), part.identity);
  return all;
}

}  // namespace

nlohmann::ordered_json ocp_system(const TestedSystem& system) {
  const std::size_t hosts = system.hosts().size();
  const std::string name = hosts == 1 ? *system.hosts().begin() : fmt::format("{} hosts", hosts);
  DutJson dut{{"dutInfoId", name.empty() ? "unnamed" : name}};
  for (const TestedPart& part : system.parts()) dut["hardwareInfos"].push_back(hardware_info(part));
  if (DutJson software = software_infos(system); !software.empty())
    dut["softwareInfos"] = std::move(software);
  if (DutJson all = identities(system); !all.empty()) dut["metadata"] = {{"identities", std::move(all)}};
  return dut;
}

}  // namespace assay::results
