// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/lldp/lldpcli.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "harness/core/error.hpp"
#include "model/fabric/site/lldp/lldp_names.hpp"
#include "model/fabric/site/lldp/lldpcli_system.hpp"

namespace assay::model::fabric::site {

namespace {

/// A name of an interface is the better one, a MAC address, which Linux sends, the worse.
std::vector<std::string> names_of(const LldpcliNeighbour& one) {
  std::vector<std::string> names;
  const bool is_word = one.description.find_first_of(" \t\n") == std::string::npos;
  if (!one.port.empty()) names.push_back(one.port);
  if (!one.description.empty() && one.description != one.port) names.push_back(one.description);
  if (names.size() == 2 && is_word &&
      (is_mac_address(one.port) || one.port.find_first_not_of("0123456789") == std::string::npos))
    std::swap(names[0], names[1]);
  return names;
}

}  // namespace

void add_capability(std::optional<bool>& forwards, std::string_view kind, bool enabled) {
  if (!enabled) return;
  forwards = kind == "Bridge" || kind == "Router" || forwards.value_or(false);
}

double gbit_of_mau(std::string_view type) {
  double number = 0;
  const auto [end, error] = std::from_chars(type.data(), type.data() + type.size(), number);
  if (error != std::errc()) return 0;
  std::string unit(end, std::min<std::size_t>(static_cast<std::size_t>(type.data() + type.size() - end), 7));
  std::ranges::transform(unit, unit.begin(), [](unsigned char one) { return std::tolower(one); });
  if (unit.starts_with("base")) return number / 1000;
  return unit.starts_with("gbase") || unit.starts_with("gigbase") ? number : 0;
}

bool is_lldpcli(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  text.remove_prefix(first);
  return text.starts_with("{") || text.starts_with("[") || text.starts_with("lldp.") ||
         text.starts_with("local-chassis.");
}

void add_lldpcli(LldpcliSystem& system, const std::string& text, const std::string& file) {
  const std::size_t known = system.neighbours.size(), first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return;
  if (text[first] == '{' || text[first] == '[')
    add_lldpcli_json(system, text, file);
  else
    add_lldpcli_keyvalue(system, text);
  for (std::size_t at = known; at < system.neighbours.size(); ++at)
    system.neighbours[at].place = file + ": " + system.neighbours[at].interface;
}

void add_system(LldpLists& lists, const LldpcliSystem& system, const std::string& called) {
  const std::string& name = system.name.empty() ? called : system.name;
  if (!system.chassis.empty()) lists.name_by_chassis[plain_port(system.chassis)] = name;
  if (system.forwards) lists.forwards[name] = *system.forwards;
  for (const LldpcliNeighbour& one : system.neighbours) {
    LldpRow row{{name, {one.interface}},
                {one.name.empty() ? one.chassis : one.name, names_of(one)},
                gbit_of_mau(one.rate),
                one.forwards,
                one.place};
    if (row.peer.system.empty() || one.interface.empty() || row.peer.names.empty())
      core::usage_error(one.place + ": expected the chassis and the port of a neighbour");
    if (!one.name.empty() && !one.chassis.empty())
      lists.name_by_chassis.try_emplace(plain_port(one.chassis), one.name);
    lists.rows.push_back(std::move(row));
  }
}

}  // namespace assay::model::fabric::site
