// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/routes/simulated_net.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/core/error.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/routes/lft_dump.hpp"

namespace assay::answers {
namespace {

namespace fabric = model::fabric;

/// A number that grows with the LID: opensm deals with ports in the order of GUIDs.
constexpr std::uint64_t assumed_guid = 0x0002c90100000000;

class NetWriter {
 public:
  explicit NetWriter(const fabric::FabricFile& file) : file_(file), topology_(fabric::topology_of(file)) {
    find_ports();
    number_adapters();
  }

  SimulatedNet write() {
    SimulatedNet net{.lmc = file_.subnet.hosts.front().lmc};
    for (const fabric::routes::HostLids& lids : file_.subnet.hosts) {
      if (lids.lmc != net.lmc)
        core::usage_error(
            fmt::format("{}: subnet.lids: LMC {} and {}: expected one for all hosts, as opensm "
                        "sets it",
                        file_.file, net.lmc, lids.lmc));
      net.last_lid = std::max(net.last_lid, lids.base + lids.count());
      net.base_lids.push_back(lids.base);
    }
    for (const auto& [guid, hosts] : adapters_) net.net += adapter_text(guid, hosts, net);
    for (fabric::NodeId at = topology_.hosts(); at < topology_.nodes(); ++at) net.net += switch_text(at, net);
    for (fabric::NodeId host = 0; host < topology_.hosts(); ++host) {
      const auto [guid, port] = place_[host];
      net.port_guids.push_back(guid + port);  // as ibsim numbers ports of an adapter
      net.guid2lid +=
          fmt::format("0x{:016x} 0x{:04x} 0x{:04x}\n\n", net.port_guids.back(), file_.subnet.hosts[host].base,
                      file_.subnet.hosts[host].base + file_.subnet.hosts[host].count() - 1);
    }
    if (file_.subnet.adapters.empty())
      net.note = "the fabric states no GUIDs of adapters: assumed in the order of LIDs";
    return net;
  }

 private:
  void find_ports() {
    ports_.resize(topology_.links());
    file_.routing.tables->each_port(
        [&](fabric::NodeId, std::uint8_t port, fabric::LinkId link) { ports_[link] = port; });
  }

  void number_adapters() {
    const auto& stated = file_.subnet.adapters;
    for (fabric::NodeId host = 0; host < topology_.hosts(); ++host) {
      const std::uint64_t guid =
          stated.empty() ? assumed_guid + (std::uint64_t{file_.subnet.hosts[host].base} << 4U) : stated[host];
      adapters_[guid].push_back(host);
      place_.emplace_back(guid, static_cast<std::uint32_t>(adapters_[guid].size()));
    }
  }

  /// Behind the peer's port: the speed of its lanes does not matter, all links are active at four.
  static std::string line(std::uint32_t port, const std::string& peer, std::uint32_t peer_port) {
    return fmt::format("[{}]\t\"{}\"[{}] e=4\n", port, peer, peer_port);
  }
  std::string id_of(fabric::NodeId node) const {
    return node < topology_.hosts() ? fmt::format("H-{:016x}", place_[node].first)
                                    : fmt::format("S-{:016x}", guid_of(node));
  }
  std::uint64_t guid_of(fabric::NodeId node) const { return file_.subnet.switches[node - topology_.hosts()]; }

  std::string adapter_text(std::uint64_t guid, const std::vector<fabric::NodeId>& hosts,
                           SimulatedNet& net) const {
    std::string text = fmt::format("caguid=0x{:016x}\nHca\t{} \"H-{:016x}\"\t# \"host{}\"\n", guid,
                                   hosts.size(), guid, hosts.front());
    for (const fabric::NodeId host : hosts)
      if (topology_.live(host))
        text += line(place_[host].second, id_of(topology_.leaf_of(host)), ports_[topology_.reverse(host)]);
    ++net.nodes;
    net.ports += hosts.size();
    return text + "\n";
  }

  std::string switch_text(fabric::NodeId at, SimulatedNet& net) const {
    std::map<std::uint32_t, std::string> lines;
    const auto add = [&](fabric::LinkId link) {
      if (!topology_.live(link)) return;
      const fabric::NodeId peer = topology_.to(link);
      lines[ports_[link]] =
          line(ports_[link], id_of(peer),
               peer < topology_.hosts() ? place_[peer].second : ports_[topology_.reverse(link)]);
    };
    for (fabric::LinkId link = topology_.first_up(at); link < topology_.end_up(at); ++link) add(link);
    for (fabric::LinkId link = topology_.first_down(at); link < topology_.end_down(at); ++link) add(link);
    const std::uint32_t most = lines.empty() ? 1 : lines.rbegin()->first;
    std::string text = fmt::format("switchguid=0x{:016x}\nSwitch\t{} \"{}\"\t# \"{}\"\n", guid_of(at), most,
                                   id_of(at), topology_.name_of(at));
    for (const auto& [port, one] : lines) text += one;
    ++net.nodes;
    ++net.switches;
    net.ports += most + 1;
    return text + "\n";
  }

  const fabric::FabricFile& file_;
  fabric::Topology topology_;
  std::vector<std::uint32_t> ports_;  // by which each link leaves its switch
  std::map<std::uint64_t, std::vector<fabric::NodeId>> adapters_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> place_;  // of hosts: adapter and port
};

}  // namespace

SimulatedNet simulated_net(const RoutesQuestion& question) {
  const fabric::FabricFile file =
      fabric::read_fabric(question.fabric, fabric::key_values(question.set, "--set"));
  if (!file.routing.tables)
    core::usage_error(fmt::format("{}: routing.kind: expected tables, got {}", file.file, file.routing_word));
  return NetWriter(file).write();
}

void check_lids(const SimulatedNet& net, const std::string& dump) {
  fabric::routes::LftDump read;
  fabric::routes::read_lft_dump(dump, read);
  for (std::size_t host = 0; host < net.base_lids.size(); ++host) {
    const std::uint32_t lid = net.base_lids[host];
    const std::uint64_t owner = lid < read.owners.size() ? read.owners[lid] : 0;
    if (owner != net.port_guids[host])
      core::usage_error(fmt::format("opensm gave LID {} to port 0x{:016x} instead of 0x{:016x}", lid, owner,
                                    net.port_guids[host]));
  }
}

}  // namespace assay::answers
