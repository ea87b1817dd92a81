// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/lldp/lldp_kinds.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "model/fabric/site/lldp/lldp_names.hpp"

namespace assay::model::fabric::site {

namespace {

struct SystemFacts {
  bool has_list = false;
  std::optional<bool> forwards;
  std::set<std::string> neighbours;
  std::size_t cables = 0;
  std::string port;  // by which it is judged
  PortNaming naming = PortNaming::adapter;
};

PortNaming naming_of_any(const std::vector<std::string>& names) {
  PortNaming naming = PortNaming::unknown;
  for (const std::string& name : names) {
    const PortNaming own = naming_of(name);
    if (own == PortNaming::switch_port) return own;
    if (own == PortNaming::adapter) naming = own;
  }
  return naming;
}

class Kinds {
 public:
  Kinds(const LldpLists& lists, const std::vector<LldpCable>& cables) : lists_(lists) {
    for (const LldpCable& cable : cables) {
      const LldpRow& row = *cable.row;
      add_port(row.own, row.peer.system).has_list = true;
      SystemFacts& peer = add_port(row.peer, row.own.system);
      state(peer, row.peer_forwards);
      if (cable.back == nullptr) continue;
      name_port(peer, cable.back->own.names);
      peer.has_list = true;
      state(systems_[row.own.system], cable.back->peer_forwards);
    }
    for (const auto& [name, forwards] : lists.forwards)
      if (const auto found = systems_.find(name); found != systems_.end()) state(found->second, forwards);
  }

  LldpKinds decide() {
    has_adapters_ = std::ranges::any_of(
        systems_, [](const auto& one) { return one.second.naming == PortNaming::adapter; });
    for (const auto& [name, facts] : systems_)
      if (is_switch(name, facts)) kinds_.switches.insert(name);
    if (kinds_.switches.size() == systems_.size())
      for (const std::string& name : guessed_) kinds_.switches.erase(name);
    for (const auto& [name, facts] : systems_) note(name, facts);
    add_notes();
    return std::move(kinds_);
  }

 private:
  SystemFacts& add_port(const LldpPort& port, const std::string& neighbour) {
    SystemFacts& facts = systems_[port.system];
    facts.neighbours.insert(neighbour);
    ++facts.cables;
    name_port(facts, port.names);
    return facts;
  }

  /// Notes the names of a port; what any of the ports shows counts for the system.
  static void name_port(SystemFacts& facts, const std::vector<std::string>& names) {
    const PortNaming naming = naming_of_any(names);
    const bool is_first = facts.port.empty();
    if (!is_first && (naming == PortNaming::adapter || facts.naming == PortNaming::switch_port)) return;
    if (!is_first && naming == facts.naming) return;
    facts.naming = naming;
    facts.port = names.front();
  }

  static void state(SystemFacts& facts, std::optional<bool> forwards) {
    if (forwards) facts.forwards = *forwards || facts.forwards.value_or(false);
  }

  bool is_forwarding_host(const SystemFacts& facts) const {
    return facts.naming == PortNaming::adapter &&
           std::ranges::all_of(facts.neighbours, [&](const std::string& name) {
             return systems_.at(name).naming == PortNaming::switch_port;
           });
  }

  bool is_switch(const std::string& name, const SystemFacts& facts) {
    if (facts.forwards == false) return false;
    if (facts.forwards == true || (facts.has_list && lists_.list_is_of_a_switch))
      return !is_forwarding_host(facts);
    if (facts.naming != PortNaming::unknown) return facts.naming == PortNaming::switch_port;
    if (facts.neighbours.size() < 2 && (facts.cables < 2 || !has_adapters_)) return false;
    guessed_.insert(name);
    return true;
  }

  void note(const std::string& name, const SystemFacts& facts) {
    const bool is_switch = kinds_.switches.contains(name);
    const std::string text = name + " (port " + facts.port + ")";
    if (is_switch && !facts.has_list)
      unlisted_.push_back(text);
    else if (is_switch && !facts.forwards && !lists_.list_is_of_a_switch)
      named_.push_back(text);
    if (!is_switch && facts.forwards == true) forwarding_.push_back(text);
    if (!is_switch && !facts.has_list && facts.neighbours.size() > 1) kinds_.unreported.push_back(name);
  }

  void add_notes() {
    add_note(unlisted_, "switches without a list of their own, of which cables may be missing: ");
    add_note(named_, "taken for switches by names of their ports: ");
    add_note(forwarding_, "taken for hosts by names of their ports, although they forward: ");
  }

  void add_note(const std::vector<std::string>& names, const std::string& what) {
    constexpr std::size_t most = 8;
    if (names.empty()) return;
    std::string text = what;
    for (std::size_t at = 0; at < std::min(names.size(), most); ++at)
      text += (at == 0 ? "" : ", ") + names[at];
    if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
    kinds_.notes.push_back(text);
  }

  const LldpLists& lists_;
  std::map<std::string, SystemFacts> systems_;
  bool has_adapters_ = false;
  std::set<std::string> guessed_;
  std::vector<std::string> unlisted_, named_, forwarding_;
  LldpKinds kinds_;
};

}  // namespace

LldpKinds kinds_of(const LldpLists& lists, const std::vector<LldpCable>& cables) {
  return Kinds(lists, cables).decide();
}

}  // namespace assay::model::fabric::site
