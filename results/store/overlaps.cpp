// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/overlaps.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "results/store/database.hpp"
#include "results/store/machine_serials.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

struct Process {
  std::int64_t id = 0;  // of its context
  std::string host, run, started, ended;
  std::string
      meant;  // what ran at once on purpose: the ranks of a run, the modules of one round of a burn-in
};

/// In order of host, then start.
std::vector<Process> processes_of(const Database& database) {
  Statement rows = database.prepare(
      "SELECT c.id, c.host, r.run_id, c.started, ifnull(max(e.ended), c.started), "
      "ifnull(json_extract(c.record, '$.environment.ASSAY_BURN_IN'), '') FROM contexts c "
      "JOIN runs r ON r.id = c.run LEFT JOIN ends e ON e.run = c.run AND e.process = c.process "
      "GROUP BY c.id ORDER BY c.host, c.started, c.id");
  std::vector<Process> processes;
  while (rows.step()) {
    const std::string run = run_without_rank(rows.text(2)), round = rows.text(5);
    processes.push_back(
        {rows.integer(0), rows.text(1), run, rows.text(3), rows.text(4), round.empty() ? run : round});
  }
  return processes;
}

MachineSerials serials_in(const Database& database, const Process& process) {
  Statement row = database.prepare("SELECT record FROM contexts WHERE id = ?");
  row.bind(process.id);
  row.step();
  return serials_of(Json::parse(row.text(0)).value("machine", Json::object()));
}

std::string verdict_on(const Database& database, const Process& one, const Process& other) {
  const SerialComparison found = compare(serials_in(database, one), serials_in(database, other));
  if (!found.difference.empty()) return "two machines of one name: " + found.difference;
  return found.any_same ? "each disturbed the other"
                        : "two machines of one name, or each disturbed the other";
}

}  // namespace

std::string run_without_rank(const std::string& run_id) { return run_id.substr(0, run_id.rfind(".rank")); }

std::vector<std::string> overlaps_of(const Store& store) {
  const Database& database = store.database();
  std::vector<std::string> told;
  std::set<std::pair<std::string, std::string>> known;
  Process longest;  // of this host, so far
  for (const Process& process : processes_of(database)) {
    if (process.host == longest.host && process.meant != longest.meant && process.started < longest.ended &&
        known.emplace(longest.run, process.run).second)
      told.push_back(fmt::format("host {}: run {} ({} to {}) and run {} (from {}) are of the same time: {}",
                                 process.host, longest.run, longest.started, longest.ended, process.run,
                                 process.started, verdict_on(database, longest, process)));
    if (process.host != longest.host || process.ended > longest.ended) longest = process;
  }
  return told;
}

}  // namespace assay::results
