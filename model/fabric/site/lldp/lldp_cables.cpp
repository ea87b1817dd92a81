// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/lldp/lldp_cables.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "harness/core/error.hpp"
#include "model/fabric/site/lldp/lldp_names.hpp"

namespace assay::model::fabric::site {

namespace {

using Port = std::pair<std::string, std::string>;  // system and plain_port()

std::string text_of(const std::string& system, const std::string& port) {
  return "'" + system + "' port " + port;
}
std::string text_of(const LldpPort& port) { return text_of(port.system, port.names.front()); }
std::string text_of(const LldpRow& row) { return text_of(row.own) + " to " + text_of(row.peer); }

bool has_address(const LldpPort& port) { return std::ranges::any_of(port.names, is_mac_address); }

bool is_one_port(const LldpPort& one, const LldpPort& other) {
  if (one.system != other.system) return false;
  return std::ranges::any_of(one.names, [&](const std::string& name) {
    return std::ranges::any_of(
        other.names, [&](const std::string& there) { return plain_port(name) == plain_port(there); });
  });
}

class Joiner {
 public:
  explicit Joiner(const std::vector<LldpRow>& rows) {
    for (const LldpRow& row : rows) add(row);
    for (const LldpRow& row : rows)
      if (const auto kept = by_port_.find(place_of(row.own)); kept != by_port_.end() && kept->second == &row)
        rows_.push_back(&row);
  }

  LldpCables join() {
    for (const LldpRow* row : rows_)
      if (!back_.contains(row)) join_by_names(*row);
    join_by_count();
    for (const LldpRow* row : rows_) {
      const auto back = back_.find(row);
      if (back == back_.end()) joined_.cables.push_back({row, nullptr});
      if (back == back_.end() || !done_.insert(row).second) continue;
      done_.insert(back->second);
      check_rates(*row, *back->second);
      joined_.cables.push_back({row, back->second});
    }
    check_ports();
    add_note(echoes_);
    add_note(left_out_);
    return std::move(joined_);
  }

 private:
  /// The first of its kind, and how many follow.
  struct Remark {
    std::string first;
    std::size_t more = 0;

    void add(const std::string& text) {
      if (first.empty())
        first = text;
      else
        ++more;
    }
  };

  static Port place_of(const LldpPort& port) { return {port.system, plain_port(port.names.front())}; }

  void add_note(const Remark& remark) {
    if (remark.first.empty()) return;
    joined_.notes.push_back(
        remark.first + (remark.more == 0 ? "" : ", and " + std::to_string(remark.more) + " more such rows"));
  }

  void add(const LldpRow& row) {
    if (is_one_port(row.own, row.peer)) {
      echoes_.add(row.place + ": " + text_of(row.own) + " hears itself: left out");
      return;
    }
    const LldpRow*& known = by_port_[place_of(row.own)];
    if (known == nullptr || is_better(row, *known)) known = &row;
  }

  /// Whether `row` counts in place of `known`, an earlier row of the same port. An adapter's firmware may
  /// send frames without a system's name next to those of the operating system.
  bool is_better(const LldpRow& row, const LldpRow& known) {
    const bool is_nameless = is_mac_address(row.peer.system),
               was_nameless = is_mac_address(known.peer.system);
    if (is_nameless == was_nameless && !is_one_port(row.peer, known.peer))
      core::usage_error(row.place + ": " + text_of(row.own) + " has a neighbour already: " +
                        text_of(known.peer) + " (" + known.place + "), and here " + text_of(row.peer));
    const bool is_newer = was_nameless && !is_nameless;
    left_out_.add(row.place + ": " + text_of(row.own) + " is listed twice: to " +
                  text_of(is_newer ? known.peer : row.peer) + " is left out");
    return is_newer;
  }

  /// The row of the port that `peer` names, that of a neighbour `from` first.
  const LldpRow* row_of(const LldpPort& peer, const std::string& from) const {
    const LldpRow* found = nullptr;
    for (const std::string& name : peer.names) {
      const auto row = by_port_.find({peer.system, plain_port(name)});
      if (row == by_port_.end()) continue;
      if (found == nullptr || found->peer.system != from) found = row->second;
    }
    return found;
  }

  /// Whether it names another port than the row's own by a name of that kind.
  static bool excludes(const LldpRow& back, const LldpRow& row) {
    return !is_one_port(back.peer, row.own) &&
           std::ranges::any_of(back.peer.names, [&](const std::string& name) {
             return are_two_ports(name, row.own.names.front());
           });
  }

  void join_by_names(const LldpRow& row) {
    const LldpRow* const back = row_of(row.peer, row.own.system);
    if (back == nullptr) return;
    const LldpRow* const named = row_of(back->peer, back->own.system);
    const bool is_another =
        back->peer.system != row.own.system || (named != nullptr && named != &row) || excludes(*back, row);
    if (is_another || back_.contains(back))
      core::usage_error(row.place + ": " + text_of(row) + ", but '" + back->own.system +
                        "' names another neighbour at this port: " + text_of(back->peer) + " (" +
                        back->place + ")");
    back_[&row] = back;
    back_[back] = &row;
  }

  /// Joins the rows that are left between two systems that both list the other.
  void join_by_count() {
    std::map<std::pair<std::string, std::string>, std::vector<const LldpRow*>> left;
    for (const LldpRow* row : rows_)
      if (!back_.contains(row)) left[{row->own.system, row->peer.system}].push_back(row);
    for (const auto& [pair, rows] : left) {
      const auto others = left.find({pair.second, pair.first});
      if (pair.first >= pair.second || others == left.end()) continue;
      const std::vector<const LldpRow*>& backs = others->second;
      const auto unnamed = [](const LldpRow* row) { return has_address(row->peer); };
      if (rows.size() != backs.size() || !std::ranges::all_of(rows, unnamed) ||
          !std::ranges::all_of(backs, unnamed))
        core::usage_error(rows.front()->place + " and " + backs.front()->place + ": cables between '" +
                          pair.first + "' and '" + pair.second +
                          "' are listed by both, under names of ports that do not match: " +
                          text_of(*rows.front()) + ", and " + text_of(*backs.front()));
      joined_.notes.push_back("ports between '" + pair.first + "' and '" + pair.second +
                              "' are named by addresses: which is cabled with which is assumed");
      for (std::size_t at = 0; at < rows.size(); ++at) {
        back_[rows[at]] = backs[at];
        back_[backs[at]] = rows[at];
      }
    }
  }

  static void check_rates(const LldpRow& row, const LldpRow& back) {
    constexpr double rounding = 0.01;
    if (row.gbit_per_s <= 0 || back.gbit_per_s <= 0) return;
    if (std::abs(row.gbit_per_s - back.gbit_per_s) > rounding * row.gbit_per_s)
      core::usage_error(row.place + " and " + back.place + ": expected one rate of the cable " +
                        text_of(row));
  }

  void check_ports() const {
    std::map<Port, const LldpRow*> taken;
    for (const LldpCable& cable : joined_.cables) {
      const Port own = {cable.row->own.system, plain_port(own_port(cable))},
                 peer = {cable.row->peer.system, plain_port(peer_port(cable))};
      for (const Port& one : {own, peer}) {
        const auto [found, is_new] = taken.emplace(one, cable.row);
        if (is_new) continue;
        core::usage_error(cable.row->place + ": " +
                          text_of(one.first, one == own ? own_port(cable) : peer_port(cable)) +
                          " has a cable already (" + found->second->place + ")");
      }
    }
  }

  std::vector<const LldpRow*> rows_;
  std::map<Port, const LldpRow*> by_port_;  // of the port that lists
  std::map<const LldpRow*, const LldpRow*> back_;
  std::set<const LldpRow*> done_;
  Remark echoes_, left_out_;
  LldpCables joined_;
};

}  // namespace

const std::string& own_port(const LldpCable& cable) { return cable.row->own.names.front(); }

const std::string& peer_port(const LldpCable& cable) {
  return cable.back != nullptr ? cable.back->own.names.front() : cable.row->peer.names.front();
}

LldpCables join_rows(const std::vector<LldpRow>& rows) { return Joiner(rows).join(); }

}  // namespace assay::model::fabric::site
