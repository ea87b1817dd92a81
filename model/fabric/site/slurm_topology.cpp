// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/slurm_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/text/slurm_text.hpp"
#include "model/fabric/site/host_list.hpp"
#include "model/fabric/site/slurm_switches.hpp"

namespace assay::model::fabric::site {

namespace {

constexpr std::size_t most_levels = 16;
constexpr std::size_t most_listed = 8 * most_host_names;  // scontrol lists nodes again at every level

class SlurmTree {
 public:
  SlurmTree(SlurmSwitches listed, const std::string& file) : listed_(std::move(listed)), file_(file) {
    std::size_t names = 0, again = 0;
    for (SlurmSwitch& one : listed_.switches) {
      names += one.switches.size() + (one.switches.empty() ? one.nodes.size() : 0);
      again += one.nodes.size();
      if (names > most_host_names || again > most_listed)
        core::usage_error(
            fmt::format("{}: expected at most {} nodes and switches in all", one.place, most_host_names));
      if (!switches_.emplace(one.name, &one).second)
        core::usage_error(fmt::format("{}: switch '{}' has a line already", one.place, one.name));
    }
    if (switches_.empty()) core::usage_error(file + ": names no switch");
    for (const SlurmSwitch& one : listed_.switches) {
      if (one.switches.empty()) place_nodes(one);
      count_hosts(one.name, one.place, 1);
    }
    for (const SlurmSwitch& one : listed_.switches)
      if (!one.switches.empty()) check_nodes(one);
  }

  std::vector<SiteCable> cables(LinkSpeed speed) {
    speed_ = speed;
    for (const SlurmSwitch& one : listed_.switches) {
      if (*hosts_below_.at(one.name) == 0) {
        listed_.notes.push_back(
            fmt::format("{}: switch '{}' has nothing below it: left out", one.place, one.name));
        continue;
      }
      if (one.switches.empty())
        for (const std::string& node : one.nodes)
          add({node, leaves_of_.at(node) > 1 ? one.name : "", false}, {one.name, "", true}, 1, one.place);
      for (const std::string& below : one.switches)
        if (const std::size_t hosts = *hosts_below_.at(below); hosts > 0)
          add({below, "", true}, {one.name, "", true}, hosts, one.place);
    }
    return std::move(cables_);
  }

  std::vector<std::string> take_notes() {
    if (shared_ > 0)
      listed_.notes.push_back(fmt::format("nodes below several leaves, with a port at each: {}", shared_));
    const bool has_upper =
        std::ranges::any_of(listed_.switches, [](const auto& one) { return !one.switches.empty(); });
    if (!has_upper && listed_.switches.size() > 1)
      listed_.notes.push_back(
          fmt::format("{} names nothing above its {}: no path joins them", file_,
                      listed_.switches.front().is_block ? "blocks, each of which is a leaf" : "switches"));
    return std::move(listed_.notes);
  }

 private:
  void place_nodes(const SlurmSwitch& leaf) {
    for (const std::string& node : leaf.nodes)
      if (++leaves_of_[node] == 2) ++shared_;
  }

  std::size_t count_hosts(const std::string& name, const std::string& place, std::size_t depth) {
    if (const auto known = hosts_below_.find(name); known != hosts_below_.end() && known->second)
      return *known->second;
    const auto found = switches_.find(name);
    if (found == switches_.end())
      core::usage_error(fmt::format("{}: there is no line of switch '{}'", place, name));
    const SlurmSwitch& one = *found->second;
    if (!hosts_below_.emplace(name, std::nullopt).second)
      core::usage_error(fmt::format("{}: switch '{}' is below itself", one.place, name));
    if (depth > most_levels)
      core::usage_error(fmt::format("{}: expected at most {} levels of switches", one.place, most_levels));
    std::size_t hosts = one.switches.empty() ? one.nodes.size() : 0;
    for (const std::string& below : one.switches) hosts += count_hosts(below, one.place, depth + 1);
    hosts_below_[name] = hosts;
    return hosts;
  }

  /// Next to switches only nodes that are below them, as scontrol lists them.
  void check_nodes(const SlurmSwitch& one) const {
    for (const std::string& node : one.nodes)
      if (!leaves_of_.contains(node))
        core::usage_error(
            fmt::format("{}: expected either Nodes or Switches below switch '{}', for node '{}' is "
                        "below none of these switches",
                        one.place, one.name, node));
  }

  void add(SiteEnd one, SiteEnd other, std::size_t hosts, const std::string& place) {
    cables_.push_back({std::move(one), std::move(other),
                       speed_.gbit_per_s * static_cast<double>(std::min(hosts, leaves_of_.size())), 0,
                       place});
  }

  SlurmSwitches listed_;
  const std::string& file_;
  LinkSpeed speed_;
  std::map<std::string, const SlurmSwitch*> switches_;
  std::map<std::string, std::optional<std::size_t>>
      hosts_below_;                               // of each switch; none while they are counted
  std::map<std::string, std::size_t> leaves_of_;  // how many, of each node
  std::size_t shared_ = 0;
  std::vector<SiteCable> cables_;
};

}  // namespace

SiteFabric parse_slurm_topology(const std::string& text, const std::string& file, LinkSpeed speed) {
  SlurmTree tree(is_slurm_yaml(text) ? read_slurm_yaml(text, file) : read_slurm_lines(text, file), file);
  SiteFabric fabric = site_fabric(tree.cables(speed), file, speed);
  fabric.assumes_rates = true;
  fabric.assumed = tree.take_notes();
  if (fabric.topology.tiers() > 2)
    fabric.assumed.insert(fabric.assumed.begin(),
                          "cables between switches are assumed, as fast as all hosts below them together: " +
                              file + " states neither their number nor their speed");
  fabric.assumed.push_back(
      fmt::format("the rate of hosts' cables is assumed, {:.10g} Gbit/s", speed.gbit_per_s));
  return fabric;
}

SiteFabric read_slurm_topology(const std::string& file, LinkSpeed speed) {
  return parse_slurm_topology(core::read_slurm_file(file), file, speed);
}

}  // namespace assay::model::fabric::site
