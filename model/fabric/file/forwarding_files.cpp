// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Routing by tables: the dumps that routing.file names, and the LIDs and GUIDs of [subnet].
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <set>
#include <string_view>

#include "harness/core/error.hpp"
#include "model/fabric/file/fabric_sections.hpp"
#include "model/fabric/routes/bind_tables.hpp"
#include "model/fabric/site/infiniband/tool_text.hpp"

namespace assay::model::fabric {

namespace {

using routes::HostLids;

template <class Number>
bool is_number(std::string_view text, Number& number, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size();
}

/// Calls `see` with every part of "1,5,7".
template <class See>
void each_part(std::string_view list, const See& see) {
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    see(part);
    list.remove_prefix(std::min(part.size() + 1, list.size()));
  }
}

/// "65" or "64/1": the LID, and the LMC after the slash.
HostLids lids_in(const core::TomlSection& subnet, std::string_view text) {
  HostLids lids;
  const std::size_t slash = text.find('/');
  const bool is_read = is_number(text.substr(0, slash), lids.base) &&
                       (slash == std::string_view::npos || is_number(text.substr(slash + 1), lids.lmc));
  if (!is_read || lids.base == 0 || lids.lmc > most_lmc ||
      lids.base + (1U << lids.lmc) - 1 > last_unicast_lid)
    subnet.refuse("lids",
                  fmt::format("'{}': expected a LID from 1 to {}, with an LMC of at most {} as in 64/1", text,
                              last_unicast_lid, most_lmc));
  return lids;
}

std::vector<HostLids> read_lids(const core::TomlSection& subnet, std::uint64_t hosts) {
  const auto list = subnet.word("lids");
  if (!list) subnet.missing("lids", "the LIDs of the hosts in order, as \"1,5,7\"");
  std::vector<HostLids> lids;
  each_part(*list, [&](std::string_view part) { lids.push_back(lids_in(subnet, part)); });
  if (lids.size() != hosts)
    subnet.refuse("lids", fmt::format("{} for {} hosts: expected one for each", lids.size(), hosts));
  return lids;
}

/// GUIDs of the hosts' adapters, "0002c90000200000,...", where the file states them.
std::vector<std::uint64_t> read_adapters(const core::TomlSection& subnet, std::uint64_t hosts) {
  std::vector<std::uint64_t> guids;
  const auto list = subnet.word("adapters");
  if (!list) return guids;
  each_part(*list, [&](std::string_view part) {
    if (!is_number(part, guids.emplace_back(), 16))
      subnet.refuse("adapters", fmt::format("'{}': expected a GUID, as 0002c90000200000", part));
  });
  if (guids.size() != hosts)
    subnet.refuse("adapters", fmt::format("{} for {} hosts: expected one for each", guids.size(), hosts));
  return guids;
}

/// "leaf0=0002c90000100000".
std::vector<std::uint64_t> read_guids(const core::TomlSection& subnet, const Topology& topology) {
  const auto list = subnet.words("switches");
  if (!list) subnet.missing("switches", "the GUID of each switch, as [\"leaf0=0002c90000100000\"]");
  std::map<std::string, std::uint64_t, std::less<>> named;
  for (const std::string& text : *list) {
    const std::size_t equals = text.find('=');
    std::uint64_t guid = 0;
    if (equals == std::string::npos || !is_number(std::string_view(text).substr(equals + 1), guid, 16))
      subnet.refuse("switches",
                    fmt::format("'{}': expected a name and a GUID, as leaf0=0002c90000100000", text));
    named[text.substr(0, equals)] = guid;
  }
  std::vector<std::uint64_t> guids;
  for (NodeId node = topology.hosts(); node < topology.nodes(); ++node) {
    const auto found = named.find(topology.name_of(node));
    if (found == named.end())
      subnet.refuse("switches", fmt::format("expected the GUID of {}, too", topology.name_of(node)));
    guids.push_back(found->second);
  }
  return guids;
}

std::vector<routes::PortedCable> ported_cables(const core::TomlSection& root, const Topology& topology,
                                               const std::vector<NamedCable>& cables) {
  std::map<std::string, NodeId, std::less<>> node_of;
  for (NodeId node = 0; node < topology.nodes(); ++node) node_of.emplace(topology.numbered_name(node), node);
  std::vector<routes::PortedCable> ported;
  std::set<std::pair<NodeId, std::uint32_t>> taken;
  for (const NamedCable& cable : cables) {
    NodeId lower = node_of.at(cable.lower), upper = node_of.at(cable.upper);
    std::uint32_t lower_port = cable.lower_port, upper_port = cable.upper_port;
    if (lower > upper) {
      std::swap(lower, upper);
      std::swap(lower_port, upper_port);
    }
    for (const auto& [node, port] : {std::pair(lower, lower_port), std::pair(upper, upper_port)}) {
      if (node < topology.hosts()) continue;
      if (port == 0)
        root.refuse("links",
                    fmt::format("'{}>{}' states no port: expected ports at switches for routing by tables, "
                                "as leaf0:17>spine0:4",
                                cable.lower, cable.upper));
      if (!taken.emplace(node, port).second)
        root.refuse("links", fmt::format("{} port {} has a cable already", topology.name_of(node), port));
    }
    ported.push_back(
        {lower, upper, static_cast<std::uint8_t>(lower_port), static_cast<std::uint8_t>(upper_port)});
  }
  return ported;
}

routes::LftDump read_dumps(const core::TomlSection& routing) {
  if (!routing.has("file"))
    routing.missing("file", "the switches' forwarding tables, as \"opensm-lfts.dump\"");
  const std::vector<std::string> files = *routing.words("file");
  routes::LftDump dump;
  for (const std::string& file : files) try {
      routes::read_lft_dump(routing.source().path_of(file), dump);
    } catch (const core::Error& error) {
      core::usage_error(fmt::format("{}: {}", routing.where("file"), error.what()));
    }
  return dump;
}

}  // namespace

void read_tables(const core::TomlSection& root, FabricFile& fabric) {
  if (fabric.routing.kind != RoutingKind::tables) return;
  enum class LidUse { first, all };
  const auto routing = root.table("routing");
  fabric.routing.spread_lids =
      routing->choice("lids", core::words_of<LidUse>("first", "all")).value_or(LidUse::first) == LidUse::all;
  const auto* const cables = std::get_if<std::vector<NamedCable>>(&fabric.shape);
  if (cables == nullptr) root.refuse("preset", "routing by tables needs every cable: expected links");
  const auto subnet = root.table("subnet");
  if (!subnet)
    root.missing("subnet", "lids of hosts and GUIDs of switches, as assay fabric read --routes writes them");
  subnet->allow({"lids", "switches", "adapters"});
  const Topology topology = from_cables(*cables);
  const std::vector<routes::PortedCable> ported = ported_cables(root, topology, *cables);
  fabric.subnet = {read_lids(*subnet, topology.hosts()), read_guids(*subnet, topology),
                   read_adapters(*subnet, topology.hosts())};
  const routes::LftDump dump = read_dumps(*routing);
  fabric.route_notes = dump.notes;
  fabric.routing.tables =
      std::make_shared<const ForwardingTables>(routes::bind_tables(topology, ported, fabric.subnet, dump));
}

}  // namespace assay::model::fabric
