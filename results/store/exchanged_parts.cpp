// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/exchanged_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "results/store/database.hpp"
#include "results/store/machine_serials.hpp"
#include "results/store/overlaps.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

struct Run {
  std::string host, id, started, ended;

  bool at_once_with(const Run& later) const {
    return run_without_rank(id) == run_without_rank(later.id) || later.started < ended;
  }
};

/// A part as a host had it last: several where the ranks of a run were given a GPU each, and call it GPU 0.
struct Known {
  std::set<std::string> serials;
  Run run;
};

/// The parts of a process as its record has them: parsed only where they are not those of the one before.
std::string parts_text(Statement& parts, std::int64_t context) {
  parts.bind(context).step();
  return parts.is_null(0) ? "{}" : parts.text(0);
}

/// Takes in the parts of a run, and tells the first that is another than it was.
std::string exchange(std::map<std::string, Known>& known, const MachineSerials& serials, const Run& now) {
  std::string told;
  for (const auto& [part, serial] : serials) {
    Known& before = known.try_emplace(part, Known{{serial}, now}).first->second;
    if (before.run.at_once_with(now)) {
      before.serials.insert(serial);
      before.run.ended = std::max(before.run.ended, now.ended);
      continue;
    }
    if (!before.serials.contains(serial) && told.empty())
      told = fmt::format("host {}: run {} ({}) and run {} ({}) are of other hardware under one name: {}",
                         now.host, before.run.id, before.run.started, now.id, now.started,
                         difference_text(part, *before.serials.begin(), serial));
    before = {{serial}, now};
  }
  return told;
}

}  // namespace

std::vector<std::string> exchanged_parts_of(const Store& store) {
  Statement processes = store.database().prepare(
      "SELECT c.id, c.host, r.run_id, c.started, ifnull(max(e.ended), c.started) FROM contexts c "
      "JOIN runs r ON r.id = c.run LEFT JOIN ends e ON e.run = c.run AND e.process = c.process "
      "GROUP BY c.id ORDER BY c.host, c.started, c.id");
  Statement parts =
      store.database().prepare("SELECT json_extract(record, '$.machine') FROM contexts WHERE id = ?");
  std::vector<std::string> told;
  std::string host, text;
  std::map<std::string, Known> known;
  MachineSerials serials;
  while (processes.step()) {
    const Run now{processes.text(1), processes.text(2), processes.text(3), processes.text(4)};
    if (std::exchange(host, now.host) != now.host) known.clear();
    if (std::string fresh = parts_text(parts, processes.integer(0)); fresh != text) {
      text = std::move(fresh);
      serials = serials_of(Json::parse(text));
    }
    if (std::string line = exchange(known, serials, now); !line.empty()) told.push_back(std::move(line));
  }
  return told;
}

}  // namespace assay::results
