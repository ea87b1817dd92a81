// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/slurm_topology.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "harness/core/error.hpp"
#include "model/fabric/site/host_list.hpp"
#include "model/json/read_text.hpp"

namespace assay::model::fabric::site {

namespace {

using core::usage_error;

struct SlurmSwitch {
  std::string name;
  std::vector<std::string> nodes, switches;
  std::size_t line = 0;
};

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char one) { return std::tolower(one); });
  return text;
}

/// Of lines that a backslash continues, the number of the first. Remarks begin with '#'.
std::vector<std::pair<std::size_t, std::string>> whole_lines(const std::string& text) {
  std::vector<std::pair<std::size_t, std::string>> lines;
  std::istringstream in(text);
  bool continued = false;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    line.erase(std::min(line.find('#'), line.size()));
    if (!continued) lines.emplace_back(number, "");
    continued = line.ends_with('\\');
    if (continued) line.back() = ' ';
    lines.back().second += line;
  }
  return lines;
}

/// A line's words "Key=value".
SlurmSwitch read_switch(const std::string& line, const std::string& where) {
  SlurmSwitch one;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string key = lower_case(word.substr(0, equals));
    const std::string value = equals < word.size() ? word.substr(equals + 1) : "";
    if (value.empty()) usage_error(where + ": expected Key=value, got '" + word + "'");
    if (key == "switchname") {
      one.name = value;
    } else if (key == "nodes") {
      one.nodes = expand_host_list(value, where);
    } else if (key == "switches") {
      one.switches = expand_host_list(value, where);
    } else if (key != "linkspeed") {  // a number without a unit, which Slurm does not use
      usage_error(where + ": expected SwitchName, Nodes, Switches or LinkSpeed (topology/tree), got '" +
                  word.substr(0, equals) + "'");
    }
  }
  if (one.name.empty()) usage_error(where + ": expected SwitchName=...");
  if (one.nodes.empty() == one.switches.empty())
    usage_error(where + ": expected either Nodes or Switches below switch '" + one.name + "'");
  return one;
}

class SlurmTree {
 public:
  SlurmTree(const std::string& text, std::string file) : file_(std::move(file)) {
    for (const auto& [number, line] : whole_lines(text)) {
      if (line.find_first_not_of(" \t") == std::string::npos) continue;
      const std::string where = file_ + ":" + std::to_string(number);
      SlurmSwitch one = read_switch(line, where);
      one.line = number;
      const std::string name = one.name;
      names_ += one.nodes.size() + one.switches.size();
      if (names_ > most_host_names)
        usage_error(where + ": expected at most " + std::to_string(most_host_names) +
                    " nodes and switches in all");
      if (!switches_.emplace(name, std::move(one)).second)
        usage_error(where + ": switch '" + name + "' has a line already");
      order_.push_back(name);
    }
    if (order_.empty()) usage_error(file_ + ": names no switch");
  }

  std::vector<SiteCable> cables(LinkSpeed speed) {
    check_places();
    std::vector<SiteCable> cables;
    for (const std::string& name : order_) {
      const SlurmSwitch& one = switches_.at(name);
      for (const std::string& node : one.nodes)
        cables.push_back({{node, "", false}, {name, "", true}, speed.gbit_per_s, one.line});
      for (const std::string& below : one.switches) {
        if (!switches_.contains(below))
          usage_error(file_ + ":" + std::to_string(one.line) + ": there is no line of switch '" + below +
                      "'");
        cables.push_back({{below, "", true},
                          {name, "", true},
                          speed.gbit_per_s * static_cast<double>(hosts_below(below, 0)),
                          one.line});
      }
    }
    return cables;
  }

 private:
  std::size_t hosts_below(const std::string& name, std::size_t depth) {
    if (const auto known = hosts_.find(name); known != hosts_.end()) return known->second;
    const SlurmSwitch& one = switches_.at(name);
    if (depth > switches_.size())
      usage_error(file_ + ":" + std::to_string(one.line) + ": switch '" + name + "' is below itself");
    std::size_t hosts = one.nodes.size();
    for (const std::string& below : one.switches)
      if (switches_.contains(below)) hosts += hosts_below(below, depth + 1);
    hosts_.emplace(name, hosts);
    return hosts;
  }

  /// A tree: nothing is below two switches. So each switch is counted once by hosts_below.
  void check_places() const {
    std::set<std::string> placed;
    for (const std::string& name : order_) {
      const SlurmSwitch& one = switches_.at(name);
      const auto place = [&](const std::string& key, const std::string& below) {
        if (!placed.insert(key + below).second)
          usage_error(file_ + ":" + std::to_string(one.line) + ": '" + below +
                      "' is below another switch already");
      };
      for (const std::string& node : one.nodes) place("node ", node);
      for (const std::string& below : one.switches) place("switch ", below);
    }
  }

  std::string file_;
  std::size_t names_ = 0;
  std::map<std::string, SlurmSwitch> switches_;
  std::map<std::string, std::size_t> hosts_;  // below each switch, as far as known
  std::vector<std::string> order_;
};

}  // namespace

SiteFabric parse_slurm_topology(const std::string& text, const std::string& file, LinkSpeed speed) {
  SiteFabric fabric = site_fabric(SlurmTree(text, file).cables(speed), file, speed);
  if (fabric.topology.tiers() > 2)
    fabric.assumed.push_back(
        "cables between switches are assumed, as fast as all hosts below them together: " + file +
        " states neither their number nor their speed");
  return fabric;
}

SiteFabric read_slurm_topology(const std::string& file, LinkSpeed speed) {
  return parse_slurm_topology(read_text(file, "Slurm's topology.conf"), file, speed);
}

}  // namespace assay::model::fabric::site
