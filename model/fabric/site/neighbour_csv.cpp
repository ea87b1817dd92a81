// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/neighbour_csv.hpp"

#include <map>
#include <set>
#include <utility>

namespace assay::model::fabric::site {

namespace {

using Port = std::pair<std::string, std::string>;

std::string text_in(const fit::CsvTable& table, std::size_t row, const std::string& column) {
  const std::string text = table.text(row, column);
  if (text.empty()) table.complain(row, column, "expected a name, got nothing");
  return text;
}

}  // namespace

SiteFabric read_neighbours(const fit::CsvSource& source, LinkSpeed speed) {
  const fit::CsvTable table =
      fit::CsvTable::read(source, {{"system", "port", "neighbour", "neighbour_port"}, {"gbit_per_s"}});
  std::set<std::string> switches;
  for (std::size_t row = 0; row < table.rows(); ++row) switches.insert(text_in(table, row, "system"));
  std::map<Port, Port> peers;
  std::vector<SiteCable> cables;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Port own = {table.text(row, "system"), text_in(table, row, "port")};
    const Port peer = {text_in(table, row, "neighbour"), text_in(table, row, "neighbour_port")};
    if (!peers.emplace(own, peer).second) table.complain(row, "port", "this port has a neighbour already");
    const auto back = peers.find(peer);
    if (back != peers.end()) {
      if (back->second != own)
        table.complain(row, "neighbour", "'" + peer.first + "' names another neighbour at this port");
      if (own != peer) continue;  // listed from the other end
    }
    const bool rated = table.has("gbit_per_s") && !table.text(row, "gbit_per_s").empty();
    cables.push_back({{own.first, own.second, true},
                      {peer.first, peer.second, switches.contains(peer.first)},
                      rated ? table.positive(row, "gbit_per_s") : 0,
                      table.line(row)});
  }
  SiteFabric fabric = site_fabric(cables, table.path(), speed);
  std::map<std::string, std::set<std::string>> switches_of;
  for (const SiteCable& cable : cables)
    if (!cable.other.is_switch) switches_of[cable.other.node].insert(cable.one.node);
  for (const auto& [node, own] : switches_of)
    if (own.size() > 1) fabric.unreported.push_back(node);
  return fabric;
}

}  // namespace assay::model::fabric::site
