// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/infiniband/ibnetdiscover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/core/error.hpp"
#include "model/fabric/site/infiniband/ib_hosts.hpp"
#include "model/fabric/site/infiniband/ib_list.hpp"
#include "model/json/read_text.hpp"

namespace assay::model::fabric::site {

namespace {

std::string at_line(const IbLine& line) {
  return fmt::format("line {}{}{}", line.line, line.rate.stated.empty() ? "" : ": ", line.rate.stated);
}

/// Rates of cables, and what had to be said of them.
class CableRates {
 public:
  /// 0: unknown.
  double of(const IbLine& one, const IbLine& other) {
    const double first = one.rate.gbit_per_s, second = other.rate.gbit_per_s;
    if (one.rate.by_speed_code || other.rate.by_speed_code) by_code_.add(at_line(one));
    if (first > 0 && second > 0) {
      if (first != second) unlike_.add(at_line(one) + " and " + at_line(other));
      return std::min(first, second);
    }
    const IbLine& unknown = first > 0 ? other : one;
    if (!unknown.rate.stated.empty() && first + second > 0) half_known_.add(at_line(unknown));
    if (first + second > 0) return first + second;
    if (one.rate.stated.empty() && other.rate.stated.empty())
      unstated_.add(at_line(one));
    else
      unknown_.add(at_line(one.rate.stated.empty() ? other : one));
    return 0;
  }

  void report(SiteFabric& site, LinkSpeed speed) const {
    const auto assume = [&](const Seen& seen, const std::string& why) {
      if (seen.count > 0)
        site.assumed.push_back(
            fmt::format("{} Gbit/s for {} {} ({})", speed.gbit_per_s, seen.text("cable"), why, seen.first));
    };
    assume(unstated_, "whose rate the list does not state");
    assume(unknown_, "of a rate that this version does not know");
    const auto note = [&](const Seen& seen, const std::string& what) {
      if (seen.count > 0)
        site.notes.push_back(fmt::format("{} {} ({})", seen.text("cable"), what, seen.first));
    };
    note(unlike_, "with another rate at each end, the lower counts");
    note(half_known_, "with a rate that this version does not know at one end, that of the other counts");
    note(by_code_, "with a rate by the code s= alone, which has one value for SDR and HDR");
  }

 private:
  Seen unlike_, half_known_, unstated_, unknown_, by_code_;
};

class IbCables {
 public:
  IbCables(const IbList& list, std::string file, const ChoosePort& choose)
      : list_(list), file_(std::move(file)), choice_(choose) {
    std::vector<IbAdapter> adapters;
    for (const auto& [guid, node] : list.nodes)
      if (node.kind == IbKind::adapter) adapters.push_back({guid, node.description, node.system});
    places_ = ib_places(adapters);
    for (const auto& [guid, place] : places_) ++uses_[place.host];
    for (const auto& [guid, node] : list.nodes)
      if (node.kind == IbKind::network_switch) ++uses_[node.description];
    for (const auto& [port, line] : list.ports) ++cabled_[port.guid];
    for (const auto& [port, line] : list.ports)
      if (line.peer.guid.starts_with('S') && !list.nodes.contains(line.peer.guid))
        refuse(line, "the file has no block of '" + line.peer.guid + "'");
    for (const auto& [port, line] : list.ports) add(port, line);
    choice_.refuse_none(file_);
    cables_ = choice_.reached(std::move(cables_));
  }

  const std::vector<SiteCable>& cables() const { return cables_; }

  void report(SiteFabric& site, LinkSpeed speed) const {
    rates_.report(site, speed);
    report_parallel(site, speed);
    if (list_.skipped > 0)
      site.notes.push_back(
          fmt::format("skipped {} not part of the list, {}",
                      list_.skipped == 1 ? "1 line that is" : fmt::format("{} lines that are", list_.skipped),
                      list_.first_skipped));
    const auto note = [&](const Seen& seen, std::string_view noun, const std::string& what) {
      if (seen.count > 0)
        site.notes.push_back(fmt::format("left out {}{} ({})", seen.text(noun), what, seen.first));
    };
    note(aggregation_nodes_, "aggregation node", " of switches");
    note(routers_, "router", "");
    note(without_block_, "adapter", " without a block");
    note(loops_, "cable", " from a node to itself");
    choice_.report(site);
  }

 private:
  [[noreturn]] void refuse(const IbLine& line, const std::string& what) const {
    core::usage_error(fmt::format("{}:{}: {}", file_, line.line, what));
  }

  void add(const IbPort& port, const IbLine& line) {
    if (!list_.nodes.contains(line.peer.guid)) return leave_out_stranger(line);
    const IbLine& back = back_of(port, line);
    if (port.guid == line.peer.guid) {
      if (port <= line.peer) loops_.add(fmt::format("line {}", line.line));
      return;
    }
    if (leave_out(port) || leave_out(line.peer) || line.peer < port) return;
    const SiteEnd one = end_of(port), other = end_of(line.peer);
    if (is_chosen(port) && is_chosen(line.peer))
      cables_.push_back({one, other, rates_.of(line, back), line.line});
    else
      choice_.leave_out(one, other);
  }

  /// A peer that has no block and is not a switch: its kind is what the line says.
  void leave_out_stranger(const IbLine& line) {
    const std::string& guid = line.peer.guid;
    if (!left_out_.insert(guid).second) return;
    const std::string where = fmt::format("line {}: {}", line.line, guid);
    if (guid.starts_with('R'))
      routers_.add(where);
    else
      (line.is_to_aggregation_node ? aggregation_nodes_ : without_block_).add(where);
  }

  /// Cables between two switches whose rates differ.
  void report_parallel(SiteFabric& site, LinkSpeed speed) const {
    std::map<std::pair<std::string, std::string>, std::map<double, Seen>> lines;  // by nodes and Gbit/s
    for (const SiteCable& cable : cables_)
      if (cable.one.is_switch && cable.other.is_switch)
        lines[std::minmax(cable.one.node, cable.other.node)]
             [cable.gbit_per_s > 0 ? cable.gbit_per_s : speed.gbit_per_s]
                 .add(fmt::format("{}", cable.line));
    for (const auto& [nodes, by_rate] : lines) {
      if (by_rate.size() < 2) continue;
      std::string rates;
      for (const auto& [rate, seen] : by_rate)
        rates += fmt::format("{}{:.4g} Gbit/s (line {})", rates.empty() ? "" : ", ", rate, seen.first);
      site.notes.push_back(fmt::format("parallel cables of unlike rates join {} and {}: {}", nodes.first,
                                       nodes.second, rates));
    }
  }

  bool leave_out(const IbPort& port) {
    const IbKind kind = list_.nodes.at(port.guid).kind;
    if (kind == IbKind::network_switch || kind == IbKind::adapter) return false;
    if (left_out_.insert(port.guid).second)
      (kind == IbKind::router ? routers_ : aggregation_nodes_).add(port.guid);
    return true;
  }

  bool is_chosen(const IbPort& port) {
    const auto place = places_.find(port.guid);
    if (place == places_.end()) return true;
    return choice_.takes({fmt::format("{} {}/{}", place->second.host, place->second.adapter, port.port)});
  }

  const IbLine& back_of(const IbPort& port, const IbLine& line) const {
    const auto back = list_.ports.find(line.peer);
    if (back != list_.ports.end() && back->second.peer != port)
      refuse(line, "line " + std::to_string(back->second.line) + " gives the other end another peer");
    if (back == list_.ports.end())
      refuse(line, "the block of '" + line.peer.guid + "' has no line of port " + line.peer.port);
    return back->second;
  }

  SiteEnd end_of(const IbPort& port) const {
    SiteEnd end = named_end_of(port);
    end.guid = guid_number(port.guid);
    const IbLine& line = list_.ports.at(port);
    end.lid = line.lid;
    end.lmc = line.lmc;
    return end;
  }

  SiteEnd named_end_of(const IbPort& port) const {
    const auto place = places_.find(port.guid);
    if (place != places_.end())
      return {place->second.host, place->second.adapter + (cabled_.at(port.guid) > 1 ? "/" + port.port : ""),
              false, place->second.adapter + "/" + port.port};
    const std::string& description = list_.nodes.at(port.guid).description;
    const bool unique = !description.empty() && uses_.at(description) == 1;
    return {unique ? description : port.guid, port.port, true};
  }

  const IbList& list_;
  std::string file_;
  PortChoice choice_;
  std::map<std::string, IbPlace> places_;  // of adapters
  std::map<std::string, int> uses_;        // of a name
  std::map<std::string, int> cabled_;      // ports
  std::set<std::string> left_out_;         // nodes that are counted
  CableRates rates_;
  Seen aggregation_nodes_, routers_, without_block_, loops_;
  std::vector<SiteCable> cables_;
};

}  // namespace

SiteFabric parse_ibnetdiscover(const std::string& text, const std::string& file, LinkSpeed speed,
                               const ChoosePort& choose) {
  const IbList list = read_ib_list(text, file);
  const IbCables cables(list, file, choose);
  SiteFabric site = site_fabric(cables.cables(), file, speed);
  cables.report(site, speed);
  return site;
}

SiteFabric read_ibnetdiscover(const std::string& file, LinkSpeed speed, const ChoosePort& choose) {
  return parse_ibnetdiscover(read_text(file, "the output of ibnetdiscover"), file, speed, choose);
}

}  // namespace assay::model::fabric::site
