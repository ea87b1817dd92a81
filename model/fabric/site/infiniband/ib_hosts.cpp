// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/infiniband/ib_hosts.hpp"

#include <algorithm>
#include <regex>
#include <set>

namespace assay::model::fabric::site {
namespace {

constexpr std::size_t most_adapters = 16;  // of a host; a description of more is a model's

/// Names that drivers give (mlx5_0, hfi1_0), that the kernel's default description gives (HCA-1), and those
/// of rdma-core's udev rules (ibp24s0f1, roceo1: kernel-boot/rdma_rename.c).
bool is_adapter(const std::string& word) {
  static const std::regex name(
      R"re((mlx[45]|mlx5_bond|mthca|hfi1|qib|ipath|irdma|bnxt_re|cxgb4|efa|hns)_?\d+)re"
      R"re(|(HCA|hca)-?\d+|(ib|roce|opa|iw)[posx][0-9a-zA-Z]*\d[0-9a-zA-Z_]*)re");
  return std::regex_match(word, name);
}

/// Firmware describes an adapter by its vendor until a host sets its own name.
bool is_unset(const std::string& host) {
  static const std::regex text(R"re(|.*(Mellanox|NVIDIA) Technologies.*|localhost(\.localdomain\d*)?)re");
  return std::regex_match(host, text);
}

IbPlace split(const std::string& description) {
  const std::size_t blank = description.find_last_of(' ');
  if (blank == std::string::npos || !is_adapter(description.substr(blank + 1))) return {description, ""};
  const std::size_t end = description.find_last_not_of(' ', blank);
  return {end == std::string::npos ? "" : description.substr(0, end + 1), description.substr(blank + 1)};
}

/// Hosts by the names that descriptions give them.
std::set<std::string> hosts_in(const std::vector<IbAdapter>& adapters) {
  std::map<std::string, std::vector<std::string>> adapters_of;
  for (const IbAdapter& one : adapters) {
    const IbPlace place = split(one.description);
    adapters_of[place.host].push_back(place.adapter);
  }
  std::set<std::string> hosts;
  for (auto& [host, names] : adapters_of) {
    std::ranges::sort(names);
    const auto named = std::ranges::upper_bound(names, "");
    const bool is_twice = std::adjacent_find(named, names.end()) != names.end();
    if (!is_unset(host) && !is_twice && names.size() <= most_adapters) hosts.insert(host);
  }
  return hosts;
}

}  // namespace

std::map<std::string, IbPlace> ib_places(const std::vector<IbAdapter>& adapters) {
  const std::set<std::string> hosts = hosts_in(adapters);
  std::map<std::string, IbPlace> places;
  std::map<std::string, std::set<std::string>> hosts_of_system, unnamed_of_system;
  for (const IbAdapter& one : adapters) {
    IbPlace place = split(one.description);
    if (place.adapter.empty()) place.adapter = one.guid;
    if (!hosts.contains(place.host)) {
      unnamed_of_system[one.system].insert(one.guid);
      continue;
    }
    hosts_of_system[one.system].insert(place.host);
    places.emplace(one.guid, std::move(place));
  }
  for (const auto& [system, guids] : unnamed_of_system) {
    const auto named = hosts_of_system.find(system);
    const bool is_known = !system.empty() && named != hosts_of_system.end() && named->second.size() == 1;
    const bool is_one = !system.empty() && guids.size() <= most_adapters;
    for (const std::string& guid : guids)
      places.emplace(guid, IbPlace{is_known ? *named->second.begin() : is_one ? *guids.begin() : guid, guid});
  }
  return places;
}

}  // namespace assay::model::fabric::site
