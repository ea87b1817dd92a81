// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/route_findings.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "model/fabric/routing/route_rule.hpp"

namespace assay::model::fabric::routes {
namespace {

using Kind = RouteFinding::Kind;

class Search {
 public:
  Search(const Topology& topology, const ForwardingTables& tables, const Subnet& subnet)
      : topology_(topology), tables_(tables), subnet_(subnet), parts_(parts_of_switches(topology)) {}

  std::vector<RouteFinding> run() {
    find_missing_tables();
    for (NodeId host = 0; host < topology_.hosts(); ++host)
      for (std::uint32_t lid = 0; lid < tables_.lids_of(host); ++lid) search(host, lid);
    std::vector<RouteFinding> all;
    for (const auto& [key, finding] : found_) all.push_back(finding);
    return all;
  }

 private:
  void find_missing_tables() {
    missing_.assign(topology_.nodes(), 1);
    for (NodeId at = topology_.hosts(); at < topology_.nodes(); ++at) {
      for (NodeId host = 0; host < topology_.hosts() && missing_[at] != 0; ++host)
        for (std::uint32_t lid = 0; lid < tables_.lids_of(host); ++lid)
          if (tables_.port(at, host, lid) != ForwardingTables::no_port) missing_[at] = 0;
      if (missing_[at] != 0) found_[{at, Kind::no_table}] = {.kind = Kind::no_table, .at = at};
    }
  }

  void search(NodeId host, std::uint32_t lid) {
    const std::uint32_t part = parts_[topology_.leaf_of(host) - topology_.hosts()];
    for (NodeId at = topology_.hosts(); at < topology_.nodes(); ++at) {
      if (missing_[at] != 0 || parts_[at - topology_.hosts()] != part) continue;
      const auto kind = kind_at(at, host, lid);
      if (!kind) continue;
      RouteFinding& finding = found_.try_emplace({at, *kind}, RouteFinding{*kind, at, 0, 0, 0}).first->second;
      if (finding.lids++ == 0) {
        finding.lid = subnet_.hosts[host].base + lid;
        finding.port = tables_.port(at, host, lid);
      }
    }
  }

  std::optional<Kind> kind_at(NodeId at, NodeId host, std::uint32_t lid) const {
    const LinkId link = tables_.link(at, host, lid);
    if (link == ForwardingTables::no_link)
      return tables_.port(at, host, lid) == ForwardingTables::no_port ? Kind::no_entry : Kind::no_cable;
    if (!topology_.live(link)) return Kind::failed_cable;
    const NodeId to = topology_.to(link);
    if (to < topology_.hosts()) return to == host ? std::nullopt : std::optional(Kind::wrong_host);
    return is_on_loop(at, host, lid) ? std::optional(Kind::loop) : std::nullopt;
  }

  /// Whether the way from the switch comes back to it.
  bool is_on_loop(NodeId start, NodeId host, std::uint32_t lid) const {
    NodeId at = start;
    for (std::uint32_t hop = topology_.hosts(); hop < topology_.nodes(); ++hop) {
      const LinkId link = tables_.link(at, host, lid);
      if (link == ForwardingTables::no_link) return false;
      at = topology_.to(link);
      if (at == start) return true;
      if (at < topology_.hosts()) return false;
    }
    return false;
  }

  const Topology& topology_;
  const ForwardingTables& tables_;
  const Subnet& subnet_;
  std::vector<std::uint32_t> parts_;  // of switches that cables join
  std::vector<char> missing_;         // of nodes, without a table
  std::map<std::pair<NodeId, Kind>, RouteFinding> found_;
};

}  // namespace

std::vector<RouteFinding> route_findings(const Topology& topology, const ForwardingTables& tables,
                                         const Subnet& subnet) {
  return Search(topology, tables, subnet).run();
}

std::string text_of(const Topology& topology, const RouteFinding& finding) {
  const std::string name = topology.name_of(finding.at);
  const std::string others = finding.lids > 1 ? fmt::format(", and {} other LIDs", finding.lids - 1) : "";
  switch (finding.kind) {
    case Kind::no_table:
      return fmt::format("{}: the dump has no table of it with an entry of a host", name);
    case Kind::no_entry:
      return fmt::format("{}: LID {} has no entry{}", name, finding.lid, others);
    case Kind::no_cable:
      return fmt::format("{}: LID {} leaves by port {}, which has no cable in the list{}", name, finding.lid,
                         finding.port, others);
    case Kind::failed_cable:
      return fmt::format("{}: LID {} leaves by port {}, whose cable has failed{}", name, finding.lid,
                         finding.port, others);
    case Kind::wrong_host:
      return fmt::format("{}: LID {} leaves by port {} to another host{}", name, finding.lid, finding.port,
                         others);
    case Kind::loop:
      return fmt::format("{}: LID {} leaves by port {} and comes back{}", name, finding.lid, finding.port,
                         others);
  }
  return name;
}

}  // namespace assay::model::fabric::routes
