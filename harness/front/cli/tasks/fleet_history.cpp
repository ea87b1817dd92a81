// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tasks/fleet_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/units.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/health/checks/check_components.hpp"
#include "harness/front/health/logbook.hpp"
#include "results/points/load_history.hpp"
#include "results/record/clock_watch.hpp"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using model::reliability::FleetHistory;
using model::reliability::PartFailure;

constexpr double day_s = 86400;
constexpr double one_failure_s = 120;  // several checks see one failure, within a look

/// A failed check of a part, or of its node.
struct Seen {
  PartFailure failure;  // but for its component
  std::string part;     // its serial number, else its unit
  std::string check;    // "": a wrong result
};

std::string component_of(const Seen& one) {
  return one.check.empty() ? "silent_corruption" : std::string(health::component_of_check(one.check));
}

/// Checks of one part that failed at one time are one failure, of the component that the most specific of
/// them names. How a node is set up is not a failure.
void add_failures(std::vector<Seen> seen, FleetHistory& fleet) {
  std::erase_if(seen, [](const Seen& one) { return component_of(one).empty(); });
  const auto time_of = [](const Seen& one) { return results::seconds_of(one.failure.since).value_or(0); };
  std::ranges::sort(seen, {}, [&](const Seen& one) {
    return std::tuple(one.failure.node, one.failure.kind, one.part, time_of(one));
  });
  const Seen* best = nullptr;
  double began_s = 0;
  const auto same = [&](const Seen& one) {
    return best != nullptr && best->failure.node == one.failure.node &&
           best->failure.kind == one.failure.kind && best->part == one.part &&
           time_of(one) - began_s <= one_failure_s;
  };
  const auto add = [&] {
    if (best == nullptr) return;
    fleet.failures.push_back(best->failure);
    fleet.failures.back().component = component_of(*best);
  };
  for (const Seen& one : seen) {
    if (!same(one)) {
      add();
      best = &one;
      began_s = time_of(one);
    } else if (health::rank_of_check(one.check) < health::rank_of_check(best->check)) {
      best = &one;
    }
  }
  add();
}

/// The part that must be there for a check to see a failure: "gpu", "nic", or "" for a node.
std::string kind_of(std::string_view check) {
  if (check.starts_with("gpu.") || check == "kernel.xid" || check == "kernel.sxid") return "gpu";
  return check.starts_with("rdma.") || check == "kernel.mlx5" ? "nic" : "";
}

/// A component's failures would have been seen in the looks in which any check of it could judge.
void add_seen(const health::History& history, FleetHistory& fleet) {
  std::map<std::string_view, std::int64_t> looks;
  for (const auto& [check, read] : history.read)
    if (const auto component = health::component_of_check(check);
        !component.empty() && (kind_of(check).empty() ||
                               std::ranges::count(history.stays, kind_of(check), &health::Stay::kind) > 0))
      looks[component] = std::max(looks[component], read);
  for (const auto& [component, read] : looks)
    fleet.seen[std::string(component)] += history.watched_s / day_s * static_cast<double>(read) /
                                          static_cast<double>(std::max<std::int64_t>(history.looks, 1));
}

/// Adds each host's days under load to the components whose failures its parts could show: a store does not
/// hold what passed.
void add_seen(const results::LoadHistory& load, FleetHistory& fleet) {
  std::map<std::string, double> days;
  for (const results::LoadedUnit& unit : load.units)
    if (unit.kind == "node") days[unit.host] += unit.loaded_s / day_s;
  for (const auto& [host, node_days] : days) {
    const auto has = [&](const std::string& kind) {
      return std::ranges::any_of(load.units, [&, &of = host](const results::LoadedUnit& one) {
        return one.host == of && one.kind == kind;
      });
    };
    std::set<std::string> components;
    for (const health::CheckComponent& one : health::check_components()) {
      const std::string kind = kind_of(one.check);
      if (!one.component.empty() && (kind.empty() || has(kind))) components.emplace(one.component);
    }
    if (load.corruption_seen) components.emplace("silent_corruption");
    for (const std::string& component : components) fleet.seen[component] += node_days;
  }
}

/// A rate needs time in which the failure would have been seen.
void note_unrated(FleetHistory& fleet) {
  std::map<std::string, std::int64_t> unrated;
  for (const PartFailure& one : fleet.failures)
    if (one.counted && !(fleet.seen[one.component] > 0)) ++unrated[one.component];
  for (const auto& [component, count] : unrated)
    fleet.notes.push_back(
        fmt::format("{} of {} in no rate: no part was under watch whose checks would have seen them, so for "
                    "how long is not known",
                    core::counted(count, "failure"), component));
}

struct NodeLogbook {
  std::string file;
  health::History history;
};

bool is_logbook_name(const fs::path& file) {
  return file.filename() == "health.json" || file.string().ends_with(".health.json");
}

std::vector<std::string> logbooks_at(const std::string& path) {
  if (!core::is_there(path)) core::usage_error(fmt::format("{}: no such logbook or folder", path));
  if (!fs::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file() && is_logbook_name(entry.path())) files.push_back(entry.path().string());
  if (files.empty())
    core::usage_error(fmt::format("{}: no logbook in it (health.json, *.health.json)", path));
  std::ranges::sort(files);
  return files;
}

bool overlap(const health::History& one, const health::History& other) {
  return one.host == other.host && one.since < other.until && other.since < one.until;
}

/// The logbooks to count; why others do not count is noted.
std::vector<NodeLogbook> read_logbooks(const std::vector<std::string>& paths, FleetHistory& fleet) {
  std::vector<NodeLogbook> all, kept;
  for (const std::string& path : paths)
    for (const std::string& file : logbooks_at(path)) {
      all.push_back({file, health::read_logbook(file, health::LogbookUse::read)->history});
      if (all.back().history.host.empty()) all.back().history.host = file;
    }
  std::ranges::stable_sort(all, std::greater{}, [](const NodeLogbook& one) { return one.history.watched_s; });
  for (NodeLogbook& one : all) {
    const auto other = std::ranges::find_if(
        kept, [&](const NodeLogbook& before) { return overlap(before.history, one.history); });
    if (one.history.since.empty())
      fleet.notes.push_back(one.file + ": without a history, as earlier versions wrote it: left out");
    else if (other != kept.end())
      fleet.notes.push_back(
          fmt::format("{}: {} over the same time as {}: left out", one.file, one.history.host, other->file));
    else
      kept.push_back(std::move(one));
  }
  return kept;
}

void add_logbook(const health::History& history, std::vector<Seen>& seen, FleetHistory& fleet) {
  fleet.stays.push_back({"node", history.host, history.host, history.watched_s / day_s});
  std::int64_t gpus = 0;
  for (const health::Stay& stay : history.stays) {
    fleet.stays.push_back({stay.kind, stay.serial, history.host, stay.watched_s / day_s});
    gpus += stay.kind == "gpu" && stay.until == history.until ? 1 : 0;
  }
  fleet.gpus_per_node = std::max(fleet.gpus_per_node, gpus);
  for (const health::Incident& one : history.incidents)
    seen.push_back({{.kind = one.kind,
                     .serial = one.serial,
                     .node = history.host,
                     .component = {},
                     .since = one.since,
                     .counted = !one.at_first},
                    one.serial.empty() ? one.unit : one.serial,
                    one.check});
}

void add_load(const results::LoadHistory& load, std::vector<Seen>& seen, FleetHistory& fleet) {
  std::map<std::string, std::int64_t> gpus;
  for (const results::LoadedUnit& unit : load.units) {
    fleet.stays.push_back({unit.kind, unit.serial, unit.host, unit.loaded_s / day_s});
    if (unit.kind == "gpu") fleet.gpus_per_node = std::max(fleet.gpus_per_node, ++gpus[unit.host]);
  }
  for (const results::LoadedFailure& one : load.failures)
    seen.push_back(
        {{.kind = one.kind, .serial = one.serial, .node = one.host, .component = {}, .since = one.since},
         one.serial,
         one.check});
  const auto note = [&](std::int64_t count, const char* noun, const char* what) {
    if (count > 0) fleet.notes.push_back(core::counted(count, noun) + what);
  };
  note(load.unassigned, "point", " failed or hung: of which component is not known, so none counts");
  note(load.not_checked, "run", " left out that no burn-in made: no check would have seen a failure");
  note(load.not_measured, "run", " left out: not measured");
}

}  // namespace

FleetHistory fleet_of_logbooks(const std::vector<std::string>& paths) {
  FleetHistory fleet{.source = {}, .seen = {}, .gpus_per_node = 1};
  std::vector<Seen> seen;
  const std::vector<NodeLogbook> logbooks = read_logbooks(paths, fleet);
  for (const NodeLogbook& one : logbooks) {
    add_seen(one.history, fleet);
    add_logbook(one.history, seen, fleet);
    fleet.watches.push_back({one.history.host, one.history.since, one.history.until});
  }
  fleet.source = core::counted(std::ssize(logbooks), "logbook");
  add_failures(std::move(seen), fleet);
  note_unrated(fleet);
  fit_ages(fleet);
  return fleet;
}

FleetHistory fleet_of_stores(const std::vector<std::string>& files) {
  FleetHistory fleet{
      .source = core::counted(std::ssize(files), "store") + " of burn-ins", .seen = {}, .gpus_per_node = 1};
  results::LoadHistoryReader reader;
  for (const std::string& file : files) reader.add(open_existing_store(file));
  std::vector<Seen> seen;
  const results::LoadHistory load = reader.take();
  add_seen(load, fleet);
  add_load(load, seen, fleet);
  add_failures(std::move(seen), fleet);
  note_unrated(fleet);
  return fleet;
}

}  // namespace assay::cli
