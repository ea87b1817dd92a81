// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "harness/core/statistics.hpp"
#include "results/database.hpp"
#include "results/judge/fleet_links.hpp"
#include "results/measured_together.hpp"
#include "results/measured_unit.hpp"
#include "results/stored_points.hpp"

namespace assay::results {
namespace {

constexpr const char* query =
    "SELECT p.process, c.name, p.key, p.status, p.time_s, p.reason, p.metric, p.unit, "
    "CASE WHEN c.name GLOB 'rdma.*' THEN json_extract(p.record, '$.conditions.rank1_host') END FROM points p "
    "JOIN cases c ON c.id = p.case_id "
    "WHERE p.run = ?1 AND (?2 = '' OR c.name GLOB ?2 OR c.name || '/' || p.key GLOB ?2) "
    "ORDER BY p.process, p.sequence";

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct Value {
  std::uint32_t metric = 0, unit = 0;
  double seconds = 0;
};

/// What a point measured: a GPU of the host, a port of it, or the host itself.
struct PartIdentity {
  std::string gpu, part;  // "3" and "gpu3"; "" and "mlx5_0"
  std::string metric;
};

/// An RDMA point names the adapter that it was measured on; "auto" is whichever the host chose.
PartIdentity part_identity_of(const std::string& case_name, const std::string& key) {
  const PointIdentity identity = identity_of(case_name, key);
  if (!identity.gpu.empty()) return {identity.gpu, "gpu" + identity.gpu, identity.metric};
  const std::size_t at = case_name.starts_with("rdma.") ? ("," + key).find(",device=") : std::string::npos;
  if (at == std::string::npos) return {"", "", identity.metric};
  const std::size_t begin = at + 7, end = std::min(key.find(',', begin), key.size());
  const std::string port = key.substr(begin, end - begin);
  if (port.empty() || port == "auto") return {"", "", identity.metric};
  std::string rest = key.substr(0, at) + key.substr(std::min(end + (at == 0 ? 1 : 0), key.size()));
  if (rest.ends_with(',')) rest.pop_back();
  return {"", port, rest.empty() ? case_name : case_name + "/" + rest};
}

/// What one kind of unit measured, run after run.
struct Kind {
  Fleet fleet;
  std::vector<std::vector<Value>> runs;
  std::vector<FailedPoint> failed;
  std::size_t together = 0;
  std::unordered_map<std::string, std::uint32_t> metrics, units;
};

class Reader {
 public:
  Reader(const Store& store, const std::string& filter, const FleetPlaces& places)
      : store_(store), rows_(store.database().prepare(query)), filter_(filter), places_(places) {
    host_.fleet.unit_level = "host";
    host_.fleet.levels = places.levels;
    gpu_.fleet.levels = places.levels;
    gpu_.fleet.levels.insert(gpu_.fleet.levels.begin(), "host");
    port_.fleet.unit_level = "port";
    port_.fleet.levels = gpu_.fleet.levels;
    link_.fleet.unit_level = "link";
  }

  void read(const StoredRun& run) {
    const auto contexts = contexts_by_process(store_, run);
    std::set<std::int64_t> together;  // processes
    for (const auto& [process, context] : contexts)
      if (measured_together(context)) together.insert(process);
    for (Kind* kind : {&host_, &gpu_, &port_, &link_}) kind->runs.emplace_back();
    rows_.bind(run.id, filter_);
    while (rows_.step()) {
      const auto context = contexts.find(rows_.integer(0));
      if (context == contexts.end())
        throw std::runtime_error(fmt::format("{}: a point without the context of its process", run.run_id));
      take(context->second, together.contains(context->first), rows_);
    }
  }

  std::vector<MeasuredFleet> finish();

 private:
  void take(const ContextRecord& context, bool together, const Statement& row) {
    if (origin_.empty()) origin_ = to_string(context.origin);
    if (to_string(context.origin) != origin_)
      throw std::runtime_error(
          fmt::format("points that are {} and points that are {} in one fleet: --filter or another store",
                      origin_, to_string(context.origin)));
    const std::string name = row.text(1);
    seen_.insert(context.host);
    refuse_mixed_units(name, row);
    const std::string peer = row.is_null(8) ? "" : row.text(8);
    if (!peer.empty() && peer != context.host) {
      seen_.insert(peer);
      return take_value(link_, link_of(context.host, peer), identity_of(name, row.text(2)).metric, together,
                        row);
    }
    const PartIdentity identity = part_identity_of(name, row.text(2));
    Kind& kind = identity.part.empty() ? host_ : identity.gpu.empty() ? port_ : gpu_;
    take_value(kind, unit_of(kind, context, identity), identity.metric, together, row);
  }

  static void take_value(Kind& kind, std::uint32_t unit, const std::string& metric, bool together,
                         const Statement& row) {
    const auto status = static_cast<Status>(row.integer(3));
    if (status == Status::unsupported) return;  // the unit is there; what it lacks is seen beside the others
    if (status != Status::ok) {
      kind.failed.push_back({kind.fleet.units[unit].name, metric, to_string(status) + ": " + row.text(5)});
      return;
    }
    if (together) return void(++kind.together);
    kind.runs.back().push_back({metric_of(kind, metric), unit, row.number(4)});
  }

  /// Of the headline of a case.
  void refuse_mixed_units(const std::string& case_name, const Statement& row) {
    if (row.is_null(6)) return;
    const std::string metric = row.text(6), unit = row.text(7);
    const auto [at, fresh] = headline_units_.try_emplace(case_name + ": " + metric, unit);
    if (!fresh && at->second != unit)
      throw std::runtime_error(
          fmt::format("{} is in '{}' and in '{}': points of one name and two units in one fleet: --filter or "
                      "another store",
                      at->first, at->second, unit));
  }

  static std::uint32_t metric_of(Kind& kind, const std::string& name) {
    const auto [at, fresh] =
        kind.metrics.try_emplace(name, static_cast<std::uint32_t>(kind.fleet.metrics.size()));
    if (fresh) kind.fleet.metrics.push_back({name, name.substr(0, name.find('.')), false});
    return at->second;
  }

  std::uint32_t link_of(const std::string& host, const std::string& peer) {
    const std::string name = link_name(host, peer);
    const auto [at, fresh] =
        link_.units.try_emplace(name, static_cast<std::uint32_t>(link_.fleet.units.size()));
    if (!fresh) return at->second;
    link_.fleet.units.push_back({name, "link", {}});
    ends_.emplace(name, std::pair(host, peer));
    return at->second;
  }

  std::uint32_t unit_of(Kind& kind, const ContextRecord& context, const PartIdentity& identity) {
    const std::string name = identity.part.empty() ? context.host : context.host + "/" + identity.part;
    const auto [at, fresh] =
        kind.units.try_emplace(name, static_cast<std::uint32_t>(kind.fleet.units.size()));
    if (!fresh) return at->second;
    FleetUnit unit{name, equals_of(context.machine, identity.gpu), {}};
    if (!places_.levels.empty()) {
      if (!places_.of_host.contains(context.host))
        throw std::runtime_error(fmt::format("the file of places does not know host '{}'", context.host));
      unit.places = places_.of(context.host, identity.part);
    }
    if (!identity.part.empty()) unit.places.insert(unit.places.begin(), context.host);
    kind.fleet.units.push_back(std::move(unit));
    return at->second;
  }

  const Store& store_;
  Statement rows_;
  std::string filter_, origin_;
  const FleetPlaces& places_;
  std::set<std::string> seen_;  // hosts
  std::unordered_map<std::string, std::string> headline_units_;
  Kind host_, gpu_, port_, link_;
  LinkEnds ends_;
};

/// Of each cell that a run measured, the median over its repetitions: they share the hour and the heat, and
/// are one measurement.
std::unordered_map<std::size_t, double> medians_of(const std::vector<Value>& run, std::size_t units) {
  std::unordered_map<std::size_t, std::vector<double>> repeated;
  for (const Value& value : run) repeated[value.metric * units + value.unit].push_back(value.seconds);
  std::unordered_map<std::size_t, double> medians;
  for (const auto& [cell, values] : repeated) medians[cell] = core::quantile_of(values, 0.5);
  return medians;
}

void note_missing_points(MeasuredFleet& measured) {
  const Fleet& fleet = measured.first;
  for (std::size_t unit = 0; unit < fleet.units.size(); ++unit) {
    std::size_t absent = 0;
    for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric)
      absent += std::isnan(fleet.at(metric, unit)) ? 1 : 0;
    if (absent > 0)
      measured.missing.push_back(
          fmt::format("{}: {} of {} points", fleet.units[unit].name, absent, fleet.metrics.size()));
  }
}

/// The n-th run of every unit and metric.
MeasuredFleet arrange(Kind kind) {
  const std::size_t units = kind.fleet.units.size(), cells = units * kind.fleet.metrics.size();
  kind.fleet.values.assign(cells, missing);
  MeasuredFleet measured{.first = kind.fleet,
                         .again = {},
                         .failed = std::move(kind.failed),
                         .missing = {},
                         .together = kind.together};
  std::vector<std::uint32_t> times(cells, 0);
  for (const auto& run : kind.runs)
    for (const auto& [cell, seconds] : medians_of(run, units)) {
      const std::uint32_t time = times[cell]++;
      if (time > measured.again.size()) measured.again.push_back(kind.fleet);
      (time == 0 ? measured.first : measured.again[time - 1]).values[cell] = seconds;
    }
  note_missing_points(measured);
  return measured;
}

/// GPUs of each host, 0 for a host of the places or with points of its own that has none.
void note_missing_gpus(const Fleet& gpus, const Fleet& hosts, MeasuredFleet& measured) {
  std::map<std::string, int> count;
  for (const FleetUnit& host : hosts.units) count[host.name] = 0;
  for (const FleetUnit& gpu : gpus.units) ++count[gpu.places.front()];
  std::map<int, int> votes;
  for (const auto& [host, found] : count) ++votes[found];
  const auto most = std::max_element(votes.begin(), votes.end(), [](const auto& one, const auto& other) {
    return one.second < other.second;
  });
  for (const auto& [host, found] : count)
    if (found != most->first)
      measured.missing.push_back(fmt::format("{}: {} GPUs, most hosts have {}", host, found, most->first));
}

std::vector<MeasuredFleet> Reader::finish() {
  const Fleet hosts = host_.fleet, gpus = gpu_.fleet;
  std::vector<MeasuredFleet> fleets;
  for (Kind* kind : {&gpu_, &host_, &port_, &link_})
    if (!kind->fleet.units.empty()) fleets.push_back(arrange(std::move(*kind)));
  if (fleets.empty()) return fleets;
  for (MeasuredFleet& fleet : fleets) fleet.origin = origin_;
  if (fleets.back().first.unit_level == "link")
    if (MeasuredFleet ends = ends_of(fleets.back(), ends_, places_); !ends.first.units.empty())
      fleets.push_back(std::move(ends));
  if (!gpus.units.empty()) note_missing_gpus(gpus, hosts, fleets.front());
  for (const auto& [host, place] : places_.of_host)
    if (!seen_.contains(host))
      fleets.front().missing.push_back(fmt::format("{}: nothing was measured", host));
  return fleets;
}

}  // namespace

std::vector<MeasuredFleet> read_fleet(const Store& store, const std::string& filter,
                                      const FleetPlaces& places) {
  Reader reader(store, filter, places);
  std::vector<StoredRun> runs = all_runs(store);
  std::reverse(runs.begin(), runs.end());
  for (const StoredRun& run : runs) reader.read(run);
  auto fleets = reader.finish();
  if (fleets.empty()) throw std::runtime_error("nothing was measured that could be judged");
  return fleets;
}

}  // namespace assay::results
