// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/doubts/host_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

struct HostProcess {
  std::int64_t context = 0;
  std::string host, run, started, ended;
  std::string whole_run;  // without the rank
  std::string meant;      // what ran at once on purpose: the ranks of a run, the modules of a burn-in's round
};

/// In order of host, then start.
std::vector<HostProcess> processes_of(const Database& database) {
  Statement rows = database.prepare(
      "SELECT c.id, c.host, r.run_id, c.started, ifnull(max(e.ended), c.started), "
      "ifnull(json_extract(c.record, '$.environment.ASSAY_BURN_IN'), '') FROM contexts c "
      "JOIN runs r ON r.id = c.run LEFT JOIN ends e ON e.run = c.run AND e.process = c.process "
      "WHERE c.module <> 'fabric' "  // simulated fabrics: runs at once do not disturb each other
      "GROUP BY c.id ORDER BY c.host, c.started, c.id");
  std::vector<HostProcess> processes;
  while (rows.step()) {
    const std::string whole = whole_run(rows.text(2)), round = rows.text(5);
    processes.push_back({rows.integer(0), rows.text(1), rows.text(2), rows.text(3), rows.text(4), whole,
                         round.empty() ? whole : round});
  }
  return processes;
}

/// Part and serial number: "GPU 0" and its UUID, "mlx5_0" and its GUID. What the machine does not report is
/// left out.
using MachineSerials = std::vector<std::pair<std::string, std::string>>;

/// `text`: the machine of a context as JSON.
MachineSerials serials_of(const std::string& text) {
  const auto machine = core::json_from<nlohmann::ordered_json>(text);
  MachineSerials serials;
  const auto add = [&](const char* list, const std::string& prefix, const char* name, const char* serial) {
    if (!machine.is_object() || !machine.contains(list) || !machine[list].is_array()) return;
    for (const auto& part : machine[list])
      if (part.is_object() && part.contains(name) && part.contains(serial) && part[serial].is_string() &&
          !part[serial].get_ref<const std::string&>().empty())
        serials.emplace_back(
            prefix + (part[name].is_string() ? part[name].get<std::string>() : core::json_text(part[name])),
            part[serial].get<std::string>());
  };
  add("gpus", "GPU ", "index", "uuid");
  add("gpus", "the board of GPU ", "index", "serial");
  add("hcas", "", "device", "node_guid");
  return serials;
}

std::string machine_text(const Database& database, const HostProcess& process) {
  Statement row = database.prepare("SELECT json_extract(record, '$.machine') FROM contexts WHERE id = ?");
  row.bind(process.context).step();
  return row.is_null(0) ? "{}" : row.text(0);
}

std::string difference_text(const std::string& part, const std::string& one, const std::string& other) {
  return fmt::format("{} is {} in one and {} in the other", part, one, other);
}

std::string verdict_on(const Database& database, const HostProcess& one, const HostProcess& other) {
  const MachineSerials of_other = serials_of(machine_text(database, other));
  bool any_same = false;
  for (const auto& [part, serial] : serials_of(machine_text(database, one)))
    for (const auto& [part_of_other, serial_of_other] : of_other) {
      if (part != part_of_other) continue;
      if (serial != serial_of_other)
        return "two machines of one name: " + difference_text(part, serial, serial_of_other);
      any_same = true;
    }
  return any_same ? "each disturbed the other" : "two machines of one name, or each disturbed the other";
}

/// A part as a host had it last: several where the ranks of a run were given a GPU each, and call it GPU 0.
struct Known {
  std::set<std::string> serials;
  HostProcess last;

  bool at_once_with(const HostProcess& later) const {
    return last.whole_run == later.whole_run || later.started < last.ended;
  }
};

/// Takes in the parts of a run, and reports the first that is another than it was.
std::string exchange(std::map<std::string, Known>& known, const MachineSerials& serials,
                     const HostProcess& now) {
  std::string line;
  for (const auto& [part, serial] : serials) {
    Known& before = known.try_emplace(part, Known{{serial}, now}).first->second;
    if (before.at_once_with(now)) {
      before.serials.insert(serial);
      before.last.ended = std::max(before.last.ended, now.ended);
      continue;
    }
    if (!before.serials.contains(serial) && line.empty())
      line = fmt::format("host {}: run {} ({}) and run {} ({}) are of other hardware under one name: {}",
                         now.host, before.last.run, before.last.started, now.run, now.started,
                         difference_text(part, *before.serials.begin(), serial));
    before = {{serial}, now};
  }
  return line;
}

/// Virtual functions without a GUID of their own report zeros.
bool is_unknown(const std::string& serial) { return serial.find_first_not_of("0:-") == std::string::npos; }

class SharedParts {
 public:
  std::vector<std::string> lines;

  void take(const std::string& host, const MachineSerials& serials) {
    std::map<std::string, std::string> within;  // part, by serial: an adapter is there once a port
    for (const auto& [part, serial] : serials) {
      if (is_unknown(serial)) continue;
      if (const auto [place, fresh] = within.try_emplace(serial, part); !fresh && place->second != part)
        report(
            host, host,
            fmt::format("host {}: {} and {} have one serial number, {}", host, place->second, part, serial));
      const auto [place, fresh] = first_.try_emplace(serial, host, part);
      const auto& [first_host, first_part] = place->second;
      if (!fresh && first_host != host)
        report(first_host, host,
               fmt::format(
                   "hosts {} and {} are one machine under two names, or a part moved between them: {} of "
                   "one and {} of the other is {}",
                   first_host, host, first_part, part, serial));
    }
  }

 private:
  void report(const std::string& one, const std::string& other, std::string line) {
    if (reported_.emplace(one, other).second) lines.push_back(std::move(line));
  }

  std::map<std::string, std::pair<std::string, std::string>> first_;  // host and part, by serial
  std::set<std::pair<std::string, std::string>> reported_;
};

using SerialsByHost = std::map<std::string, MachineSerials>;  // all that any record of the host names

/// Those of simulated fabrics left out, which are not machines.
SerialsByHost known_serials_in(const Store& store) {
  Statement rows = store.database().prepare(
      "SELECT DISTINCT host, json_extract(record, '$.machine') FROM contexts WHERE module <> 'fabric' "
      "ORDER BY host, id");
  SerialsByHost hosts;
  while (rows.step()) {
    MachineSerials& known = hosts[rows.text(0)];
    if (rows.is_null(1)) continue;
    for (auto& [part, serial] : serials_of(rows.text(1)))
      if (!is_unknown(serial)) known.emplace_back(std::move(part), std::move(serial));
  }
  return hosts;
}

/// A part of one name has a serial number of its own in each.
bool are_two_machines(const MachineSerials& one, const MachineSerials& other) {
  return std::ranges::any_of(one, [&](const auto& of_one) {
    return std::ranges::any_of(other, [&](const auto& of_other) {
      return of_one.first == of_other.first && of_one.second != of_other.second;
    });
  });
}

}  // namespace

std::vector<std::string> machines_in_both(const Store& one, const Store& other) {
  const SerialsByHost of_one = known_serials_in(one), of_other = known_serials_in(other);
  std::map<std::string, std::pair<std::string, std::string>> holders;  // host and part, by serial
  for (const auto& [host, serials] : of_one)
    for (const auto& [part, serial] : serials) holders.try_emplace(serial, host, part);
  std::vector<std::string> lines;
  for (const auto& [host, serials] : of_other) {
    const auto shared =
        std::ranges::find_if(serials, [&](const auto& part) { return holders.contains(part.second); });
    const auto namesake = of_one.find(host);
    if (shared != serials.end()) {
      const auto& [holder, part] = holders.at(shared->second);
      lines.push_back(fmt::format("host {} and host {} share {}: {} of one and {} of the other", holder, host,
                                  shared->second, part, shared->first));
    } else if (namesake != of_one.end() && !are_two_machines(namesake->second, serials)) {
      lines.push_back(
          fmt::format("host {} is in both, and no serial number shows that they are two machines", host));
    }
  }
  return lines;
}

std::vector<std::string> overlaps_of(const Store& store) {
  const Database& database = store.database();
  std::vector<std::string> lines;
  std::set<std::pair<std::string, std::string>> known;
  HostProcess longest;  // of this host, so far
  for (const HostProcess& process : processes_of(database)) {
    if (process.host == longest.host && process.meant != longest.meant && process.started < longest.ended &&
        known.emplace(longest.whole_run, process.whole_run).second)
      lines.push_back(fmt::format("host {}: run {} ({} to {}) and run {} (from {}) are of the same time: {}",
                                  process.host, longest.whole_run, longest.started, longest.ended,
                                  process.whole_run, process.started,
                                  verdict_on(database, longest, process)));
    if (process.host != longest.host || process.ended > longest.ended) longest = process;
  }
  return lines;
}

std::vector<std::string> exchanged_parts_of(const Store& store) {
  std::vector<std::string> lines;
  std::string host, text;
  std::map<std::string, Known> known;
  MachineSerials serials;
  for (const HostProcess& now : processes_of(store.database())) {
    if (std::exchange(host, now.host) != now.host) known.clear();
    // Parsed only where the machine is not that of the process before.
    if (std::string fresh = machine_text(store.database(), now); fresh != text) {
      serials = serials_of(fresh);
      text = std::move(fresh);
    }
    if (std::string line = exchange(known, serials, now); !line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> shared_parts_of(const Store& store) {
  Statement rows = store.database().prepare(
      "SELECT DISTINCT host, json_extract(record, '$.machine') FROM contexts ORDER BY host, id");
  SharedParts shared;
  while (rows.step())
    if (!rows.is_null(1)) shared.take(rows.text(0), serials_of(rows.text(1)));
  return shared.lines;
}

}  // namespace assay::results
