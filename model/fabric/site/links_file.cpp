// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/links_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "harness/core/error.hpp"
#include "model/json/append_json.hpp"

namespace assay::model::fabric::site {
namespace {

/// "node1" of "node1 mlx5_0".
std::string node_of(const std::string& name) { return name.substr(0, name.find(' ')); }

class LinksFile {
 public:
  explicit LinksFile(const SiteFabric& site) : site_(site), topology_(site.topology) {
    number_hosts();
    for (LinkId link = 0; link < topology_.links(); ++link)
      fastest_ = std::max(fastest_, topology_.capacity(link));
    for (NodeId node = 0; node < topology_.nodes(); ++node)
      for (LinkId link = topology_.first_up(node); link < topology_.end_up(node); ++link) add_cable(link);
  }

  std::string text(std::string_view source) const {
    std::string all = fmt::format("# Read from {}.\n", source);
    for (const std::string& line : site_.assumed) all += fmt::format("# Assumed: {}\n", line);
    all += fmt::format("preset = \"links\"\n{}links = [\n", nodes_text());
    for (const std::string& cable : cables_) all += fmt::format("  \"{}\",\n", cable);
    all += fmt::format("]\n\n[link]\ngbit_per_s = {:.10g}\n", gbit_of(fastest_));
    for (const auto& [name, factor] : slower_)
      all += fmt::format("\n[[degraded]]\nlink = \"{}\"\nfactor = {:.10g}\n", name, factor);
    all += "\n";
    for (NodeId node = topology_.hosts(); node < topology_.nodes(); ++node)
      all += fmt::format("# {} = {}\n", topology_.name_of(node), site_.names[node]);
    return all;
  }

 private:
  void number_hosts() {
    std::vector<NodeId> order(topology_.hosts());
    std::iota(order.begin(), order.end(), NodeId{0});
    std::ranges::stable_sort(order, [this](NodeId one, NodeId other) {
      return ::strverscmp(site_.names[one].c_str(), site_.names[other].c_str()) < 0;
    });
    number_.resize(order.size());
    for (NodeId number = 0; number < order.size(); ++number) {
      number_[order[number]] = number;
      const std::string node = node_of(site_.names[order[number]]);
      if (nodes_.empty() || nodes_.back().first != node) nodes_.emplace_back(node, 0);
      ++nodes_.back().second;
    }
  }

  std::string name_of(NodeId node) const {
    return node < topology_.hosts() ? fmt::format("host{}", number_[node]) : topology_.name_of(node);
  }

  void add_cable(LinkId link) {
    const std::string lower = name_of(topology_.from(link)), upper = name_of(topology_.to(link));
    const std::string name = lower + ">" + upper;
    const double factor = topology_.capacity(link) / fastest_;
    const bool is_parallel = !named_.insert(name).second;
    if (is_parallel && (factor < 1 || slower_.contains(name)))
      core::usage_error(fmt::format(
          "{} and {}: expected parallel cables of one rate, for a file of links has one name for both",
          site_.names[topology_.from(link)], site_.names[topology_.to(link)]));
    cables_.push_back(name);
    if (factor < 1) slower_[name] = slower_[upper + ">" + lower] = factor;
  }

  /// Nodes with unequal numbers of ports stay without their names: a file has one number for all.
  std::string nodes_text() const {
    const std::size_t ports = nodes_.front().second;
    const bool is_even = std::ranges::all_of(nodes_, [&](const auto& node) { return node.second == ports; });
    std::vector<std::string> names;
    for (const auto& [node, count] : nodes_) names.push_back(node);
    const std::string list = fmt::format("{}", fmt::join(names, ","));
    if (!is_even) return fmt::format("# nodes, with unequal numbers of ports: {}\n", list);
    std::string quoted;  // JSON's escapes are among TOML's
    append_json(quoted, list);
    return fmt::format("nodes = {}\nhost = {{ gpus = {} }}\n", quoted, ports);
  }

  static double gbit_of(double bytes_per_us) { return bytes_per_us / LinkSpeed{.gbit_per_s = 1}.goodput(); }

  const SiteFabric& site_;
  const Topology& topology_;
  std::vector<NodeId> number_;                              // of each host of the topology
  std::vector<std::pair<std::string, std::size_t>> nodes_;  // with their ports
  double fastest_ = 0;
  std::vector<std::string> cables_;
  std::set<std::string> named_;
  std::map<std::string, double> slower_;
};

}  // namespace

std::string links_file(const SiteFabric& site, std::string_view source) {
  return LinksFile(site).text(source);
}

}  // namespace assay::model::fabric::site
