// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/links_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "harness/core/error.hpp"
#include "model/fabric/site/host_list.hpp"
#include "model/fabric/site/site_names.hpp"
#include "model/json/append_json.hpp"

namespace assay::model::fabric::site {
namespace {

class LinksFile {
 public:
  explicit LinksFile(const SiteFabric& site, std::vector<std::string> tables = {})
      : site_(site),
        topology_(site.topology),
        tables_(std::move(tables)),
        machines_(machines_of(site)),
        number_(topology_.hosts()) {
    NodeId number = 0;
    for (const SiteMachine& machine : machines_)
      for (const NodeId host : machine.ports) number_[host] = number++;
    find_rates();
    for (NodeId node = 0; node < topology_.nodes(); ++node)
      for (LinkId link = topology_.first_up(node); link < topology_.end_up(node); ++link) add_cable(link);
  }

  std::string text(std::string_view source) const {
    std::string all = fmt::format("# Read from {}.\n", source);
    for (const std::string& line : site_.assumed) all += fmt::format("# Assumed: {}\n", line);
    for (const std::string& line : site_.notes) all += fmt::format("# Note: {}\n", line);
    all += fmt::format("preset = \"links\"\n{}{}links = [\n", nodes_text(), routing_text());
    for (const std::string& cable : cables_) all += fmt::format("  \"{}\",\n", cable);
    all += fmt::format("]\n\n[link]\ngbit_per_s = {:.10g}\n", gbit_of(fastest_));
    for (std::size_t tier = 1; tier < topology_.tiers(); ++tier)
      if (rates_[tier] < fastest_)
        all += fmt::format("\n[tier.{}]\ngbit_per_s = {:.10g}\n", topology_.kind_of_tier(tier),
                           gbit_of(rates_[tier]));
    all += slower_ + subnet_text() + "\n";
    for (NodeId node = topology_.hosts(); node < topology_.nodes(); ++node)
      all += fmt::format("# {} = {}\n", topology_.name_of(node), site_.names[node]);
    return all;
  }

 private:
  /// The fastest of all cables, and of those below the switches of each tier.
  void find_rates() {
    rates_.resize(topology_.tiers());
    for (NodeId node = 0; node < topology_.nodes(); ++node)
      for (LinkId link = topology_.first_up(node); link < topology_.end_up(node); ++link) {
        double& rate = rates_[topology_.tier_of(topology_.to(link))];
        rate = std::max(rate, topology_.capacity(link));
        fastest_ = std::max(fastest_, rate);
      }
  }

  std::string name_of(NodeId node) const {
    return node < topology_.hosts() ? fmt::format("host{}", number_[node]) : topology_.name_of(node);
  }

  void add_cable(LinkId link) {
    const std::string lower = name_of(topology_.from(link)), upper = name_of(topology_.to(link));
    const std::string name = lower + ">" + upper;
    const SiteFabric::CablePorts none, &ports = tables_.empty() ? none : site_.cable_ports[link];
    cables_.push_back(lower + (link < topology_.hosts() ? "" : port_text(ports.lower)) + ">" + upper +
                      port_text(ports.upper));
    const std::size_t number = ++parallel_[name];
    const double factor = topology_.capacity(link) / rates_[topology_.tier_of(topology_.to(link))];
    if (factor >= 1) return;
    const std::string which = number > 1 ? fmt::format("#{}", number) : "";
    for (const std::string& one : {name, upper + ">" + lower})
      slower_ += fmt::format("\n[[degraded]]\nlink = \"{}{}\"\nfactor = {:.10g}\n", one, which, factor);
  }

  /// Names of servers where all have as many ports, else of ports: a file has one number for all.
  std::string nodes_text() const {
    const std::size_t ports = machines_.front().ports.size();
    const bool is_even =
        std::ranges::all_of(machines_, [&](const auto& machine) { return machine.ports.size() == ports; });
    std::vector<std::string> names;
    for (const SiteMachine& machine : machines_)
      if (is_even)
        names.push_back(machine.name);
      else
        for (std::size_t port = 0; port < machine.ports.size(); ++port)
          names.push_back(rail_name(machine, port));
    std::string quoted;  // JSON's escapes are among TOML's
    append_json(quoted, host_list_of(names));
    return fmt::format("nodes = {}\n{}", quoted,
                       is_even ? fmt::format("host = {{ gpus = {} }}\n", ports) : "");
  }

  static std::string port_text(const std::string& port) { return port.empty() ? "" : ":" + port; }

  /// InfiniBand's switches forward by tables: without them the kind is a proposal to be looked at.
  std::string routing_text() const {
    const bool is_infiniband = std::ranges::any_of(site_.switch_guids, [](auto guid) { return guid != 0; });
    if (tables_.empty() && !is_infiniband) return "";
    if (tables_.empty())
      return "routing = { kind = \"ecmp\" }  # assumed: \"adaptive\" if the switches do, or read --routes\n";
    std::string files;
    for (const std::string& file : tables_) {
      files += files.empty() ? "" : ", ";
      append_json(files, file);
    }
    return fmt::format("routing = {{ kind = \"tables\", file = {} }}\n",
                       tables_.size() == 1 ? files : "[" + files + "]");
  }

  std::string subnet_text() const {
    if (tables_.empty()) return "";
    std::string lids, switches, adapters;
    for (const SiteMachine& machine : machines_)
      for (const NodeId host : machine.ports) {
        const SiteEnd& port = site_.ports[host];
        lids += fmt::format("{}{}", lids.empty() ? "" : ",", port.lid);
        if (port.lmc > 0) lids += fmt::format("/{}", port.lmc);
        adapters += fmt::format("{}{:016x}", adapters.empty() ? "" : ",", port.guid);
      }
    for (NodeId node = topology_.hosts(); node < topology_.nodes(); ++node)
      switches += fmt::format("  \"{}={:016x}\",\n", topology_.name_of(node),
                              site_.switch_guids[node - topology_.hosts()]);
    return fmt::format("\n[subnet]\nlids = \"{}\"\nswitches = [\n{}]\nadapters = \"{}\"\n", lids, switches,
                       adapters);
  }

  static double gbit_of(double bytes_per_us) { return bytes_per_us / LinkSpeed{.gbit_per_s = 1}.goodput(); }

  const SiteFabric& site_;
  const Topology& topology_;
  std::vector<std::string> tables_;
  std::vector<SiteMachine> machines_;
  std::vector<NodeId> number_;  // of each host of the topology
  std::vector<double> rates_;   // bytes/us, of the tier above a cable
  double fastest_ = 0;
  std::vector<std::string> cables_;
  std::map<std::string, std::size_t> parallel_;  // cables of one name so far
  std::string slower_;
};

}  // namespace

std::string links_file(const SiteFabric& site, std::string_view source) {
  return LinksFile(site).text(source);
}

std::string links_file(const SiteFabric& site, std::string_view source,
                       const std::vector<std::string>& tables) {
  if (site.switch_guids.empty() || std::ranges::count(site.switch_guids, 0U) > 0)
    core::usage_error(fmt::format("{}: states no GUIDs: expected a list by ibnetdiscover", source));
  const auto without = std::ranges::find(site.ports, 0U, &SiteEnd::lid);
  if (without != site.ports.end())
    core::usage_error(fmt::format(
        "{}: states no LID of {} {}: expected a list made after the subnet manager had set them, or --lids",
        source, without->node, without->port));
  return LinksFile(site, tables).text(source);
}

}  // namespace assay::model::fabric::site
