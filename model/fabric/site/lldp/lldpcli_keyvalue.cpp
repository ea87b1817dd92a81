// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <sstream>
#include <string>

#include "model/fabric/site/lldp/lldpcli_system.hpp"

namespace assay::model::fabric::site {

namespace {

/// "Bridge" of "Bridge.enabled".
std::string_view capability_in(std::string_view key) {
  constexpr std::string_view end = ".enabled";
  return key.ends_with(end) ? key.substr(0, key.size() - end.size()) : "";
}

bool is_one_of(std::string_view key, std::initializer_list<std::string_view> keys) {
  for (const std::string_view one : keys)
    if (key == one) return true;
  return false;
}

class KeyValues {
 public:
  explicit KeyValues(LldpcliSystem& system) : system_(system) {}

  /// Lines without such a beginning continue a description.
  void read(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return;
    const std::string_view key = line.substr(0, equals), value = line.substr(equals + 1);
    constexpr std::string_view own = "local-chassis.chassis.", neighbour = "lldp.";
    if (key.starts_with(own)) read_own(key.substr(own.size()), value);
    if (key.starts_with(neighbour)) read_neighbour(key.substr(neighbour.size()), value);
  }

 private:
  void read_own(std::string_view key, std::string_view value) {
    if (key == "name") system_.name = value;
    if (is_one_of(key, {"mac", "local", "ifname", "ip"})) system_.chassis = value;
    add_capability(system_.forwards, capability_in(key), value == "on");
  }

  /// "eth0.100.port.descr": a name of an interface may have dots.
  void read_neighbour(std::string_view key, std::string_view value) {
    for (const std::string_view part : {".chassis.", ".port."})
      if (const std::size_t at = key.find(part); at != std::string_view::npos)
        return read_part(key.substr(0, at), part, key.substr(at + part.size()), value);
    if (key.ends_with(".via")) begin(key.substr(0, key.size() - 4));
  }

  void begin(std::string_view interface) {
    seen_.clear();
    system_.neighbours.emplace_back().interface = interface;
  }

  void read_part(std::string_view interface, std::string_view part, std::string_view key,
                 std::string_view value) {
    const bool is_single = is_one_of(key, {"name", "mac", "local", "ifname", "descr", "ttl"});
    const std::string whole = std::string(part) + std::string(key);
    if (system_.neighbours.empty() || system_.neighbours.back().interface != interface ||
        (is_single && seen_.contains(whole)))
      begin(interface);
    if (is_single) seen_.insert(whole);
    LldpcliNeighbour& one = system_.neighbours.back();
    const bool is_identifier = is_one_of(key, {"mac", "local", "ifname", "ifalias", "ip"});
    if (part == ".port.") {
      if (is_identifier) one.port = value;
      if (key == "descr") one.description = value;
      if (key == "auto-negotiation.current") one.rate = value;
    } else {
      if (is_identifier) one.chassis = value;
      if (key == "name") one.name = value;
      add_capability(one.forwards, capability_in(key), value == "on");
    }
  }

  LldpcliSystem& system_;
  std::set<std::string> seen_;  // keys of the last neighbour
};

}  // namespace

void add_lldpcli_keyvalue(LldpcliSystem& system, const std::string& text) {
  KeyValues values(system);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    values.read(line);
  }
}

}  // namespace assay::model::fabric::site
