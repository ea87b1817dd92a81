// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <span>
#include <stdexcept>
#include <unordered_map>

#include "harness/core/statistics.hpp"
#include "results/judge/copied_samples.hpp"
#include "results/judge/faulty_ports.hpp"
#include "results/judge/fleet_doubts.hpp"
#include "results/judge/fleet_point.hpp"
#include "results/store/measured_together.hpp"
#include "results/store/measured_unit.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// What one kind of unit measured, run after run.
struct Kind {
  Fleet fleet;
  FleetRunValues runs;
  UnsupportedPoints unsupported;
  std::vector<FleetIssue> failed;
  std::map<std::pair<std::uint32_t, std::uint32_t>, FleetIssue> doubted;  // by unit and metric
  std::size_t together = 0;
  std::unordered_map<std::string, std::uint32_t> metrics, units;
};

class Reader {
 public:
  Reader(const Store& store, const std::string& filter, const FleetPlaces& places)
      : store_(store), points_(store, filter), places_(places), copies_(store) {
    host_.fleet.unit_level = "host";
    host_.fleet.levels = places.levels;
    gpu_.fleet.levels = places.levels;
    gpu_.fleet.levels.insert(gpu_.fleet.levels.begin(), "host");
    port_.fleet.unit_level = "port";
    port_.fleet.levels = gpu_.fleet.levels;
    link_.fleet.unit_level = "link";
    link_.fleet.levels = {"rail"};
  }

  void read(const StoredRun& run) {
    const auto contexts = contexts_by_process(store_, run);
    std::set<std::int64_t> together;  // processes
    for (const auto& [process, context] : contexts) note_process(process, context, together);
    for (Kind* kind : {&host_, &gpu_, &port_, &link_}) kind->runs.emplace_back();
    latest_ = nullptr;
    points_.begin(run);
    while (const FleetPoint* point = points_.next()) {
      const auto context = contexts.find(point->process);
      if (context == contexts.end())
        throw std::runtime_error(fmt::format("{}: a point without the context of its process", run.run_id));
      take(context->second, together.contains(context->first), *point);
    }
  }

  std::vector<MeasuredFleet> finish();

 private:
  std::vector<FleetIssue> host_doubts();
  void take(const ContextRecord& context, bool together, const FleetPoint& point) {
    if (latest_ != &context) {
      latest_ = &context;
      if (origin_.empty()) origin_ = to_string(context.origin);
      if (to_string(context.origin) != origin_)
        throw std::runtime_error(
            fmt::format("points that are {} and points that are {} in one fleet: --filter or another store",
                        origin_, to_string(context.origin)));
      seen_.insert(context.host);
    }
    refuse_mixed_units(point);
    if (const auto links = point.links(); !links.empty()) {
      const std::string metric = link_metric_of(point);
      note(context, point, metric);
      faulty_ports_.take(point);
      const auto doubt = doubt_about(point.evidence, point.samples_s);
      for (const MeasuredLink& link : links)
        take_value(link_, link_of(link), metric, together, point, link.time_s,
                   doubt && links.size() > 1 ? point.doubt_about_link(link) : doubt);
      return;
    }
    const PartIdentity identity = part_identity_of(point);
    note(context, point, identity.metric);
    if (!identity.gpu.empty()) gpus_.take(context.host, identity.gpu);
    Kind& kind = identity.part.empty() ? host_ : identity.gpu.empty() ? port_ : gpu_;
    take_value(kind, unit_of(kind, context, identity), identity.metric, together, point,
               point.evidence.time_s, doubt_about(point.evidence, point.samples_s));
  }

  static void take_value(Kind& kind, std::uint32_t unit, const std::string& metric, bool together,
                         const FleetPoint& point, double time_s, const std::optional<PointDoubt>& doubt) {
    const Status status = point.evidence.status;
    const std::string& name = kind.fleet.units[unit].name;
    // What the unit lacks in all its runs is seen by comparison with the others.
    if (status == Status::unsupported) return void(++kind.unsupported[{unit, metric}]);
    if (status != Status::ok)
      return void(kind.failed.push_back({name, metric, to_string(status) + ": " + point.reason}));
    if (doubt && doubt->is_wrong) return void(kind.failed.push_back({name, metric, doubt->why}));
    if (together) return void(++kind.together);
    const std::uint32_t number = metric_of(kind, metric);
    if (!doubt) return void(kind.runs.back().push_back({number, unit, time_s}));
    ++kind.doubted.try_emplace({unit, number}, FleetIssue{name, metric, doubt->why}).first->second.points;
  }

  void note_process(std::int64_t process, const ContextRecord& context, std::set<std::int64_t>& together) {
    if (measured_together(context)) together.insert(process);
    const auto gpus = context.machine.find("gpus");
    if (gpus != context.machine.end() && gpus->is_array()) gpus_.count(context.host, gpus->size());
  }

  void note(const ContextRecord& context, const FleetPoint& point, const std::string& metric) {
    if (point.evidence.status != Status::ok) return;
    definitions_.take(context.host, metric, point.evidence.definition);
    const std::array<double, 3> summary{point.evidence.time_s, point.evidence.lower_s,
                                        point.evidence.upper_s};
    std::span<const double> samples_s = point.samples_s;
    if (samples_s.empty()) samples_s = summary;
    copies_.add(context.run_id, context.host, metric, point.id, samples_s);
  }

  /// Of the headline of a case.
  void refuse_mixed_units(const FleetPoint& point) {
    if (point.evidence.metric.empty()) return;
    const std::string& unit = point.evidence.unit;
    const std::string headline = point.case_name + ": " + point.evidence.metric;
    const auto [at, fresh] = headline_units_.try_emplace(headline, unit);
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

  /// A link between two rails is on neither.
  std::uint32_t link_of(const MeasuredLink& link) {
    const std::string name = link_name(link.one, link.other);
    const auto [at, fresh] =
        link_.units.try_emplace(name, static_cast<std::uint32_t>(link_.fleet.units.size()));
    if (!fresh) return at->second;
    link_.fleet.units.push_back({name, "link", {link.one.rail == link.other.rail ? link.one.rail : ""}});
    ends_.emplace(name, std::pair(link.one, link.other));
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
  FleetPoints points_;
  std::string origin_;
  const FleetPlaces& places_;
  CopiedJournals copies_;
  FleetDefinitions definitions_;
  MeasuredGpus gpus_;
  const ContextRecord* latest_ = nullptr;  // of this run
  std::set<std::string> seen_;             // hosts
  std::unordered_map<std::string, std::string> headline_units_;
  Kind host_, gpu_, port_, link_;
  LinkEnds ends_;
  FaultyPorts faulty_ports_;
};

/// Of each cell that a run measured, the median over its repetitions: they share the hour and the heat, and
/// are one measurement.
std::unordered_map<std::size_t, double> medians_of(const std::vector<FleetValue>& run, std::size_t units) {
  std::unordered_map<std::size_t, std::vector<double>> repeated;
  for (const FleetValue& value : run) repeated[value.metric * units + value.unit].push_back(value.seconds);
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
      measured.missing.push_back({.unit = fleet.units[unit].name,
                                  .reason = fmt::format("{} of {} points", absent, fleet.metrics.size())});
  }
}

/// The n-th run of every unit and metric.
MeasuredFleet arrange(Kind kind) {
  const std::size_t units = kind.fleet.units.size(), cells = units * kind.fleet.metrics.size();
  kind.fleet.values.assign(cells, missing);
  MeasuredFleet measured{.first = kind.fleet, .failed = std::move(kind.failed), .together = kind.together};
  for (auto& [place, doubted] : kind.doubted) measured.doubted.push_back(std::move(doubted));
  for (FleetIssue& doubted : contradicted_points(kind.fleet, kind.runs, kind.unsupported))
    measured.doubted.push_back(std::move(doubted));
  if (kind.fleet.unit_level == "gpu" || kind.fleet.unit_level == "port")
    measured.missing = left_out_of_runs(kind.fleet, kind.runs);
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
  const auto most = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
  for (const auto& [host, found] : count)
    if (found != most->first)
      measured.missing.push_back(
          {.unit = host, .reason = fmt::format("{} GPUs, most hosts have {}", found, most->first)});
}

std::vector<FleetIssue> Reader::host_doubts() {
  std::vector<FleetIssue> doubts;
  const auto add = [&](const std::vector<std::string>& lines, const char* meaning) {
    for (const std::string& line : lines) doubts.push_back({.reason = line, .meaning = meaning});
  };
  add(definitions_.differences(), "points of one name that mean different things are not compared");
  add(gpus_.unmeasured(), "what was not measured is not accepted");
  add(copies_.finish(), "what one machine measured says nothing of another, and a copy nothing new");
  return doubts;
}

std::vector<MeasuredFleet> Reader::finish() {
  const Fleet hosts = host_.fleet, gpus = gpu_.fleet;
  std::vector<MeasuredFleet> fleets;
  for (Kind* kind : {&gpu_, &host_, &port_, &link_})
    if (!kind->fleet.units.empty()) fleets.push_back(arrange(std::move(*kind)));
  if (fleets.empty()) return fleets;
  for (MeasuredFleet& fleet : fleets) fleet.origin = origin_;
  if (fleets.back().first.unit_level == "link") {
    if (MeasuredFleet ends = ends_of(fleets.back(), ends_, places_); !ends.first.units.empty())
      fleets.push_back(std::move(ends));
    std::ranges::move(faulty_ports_.issues(), std::back_inserter(fleets.back().failed));
  }
  fleets.front().host_doubts = host_doubts();
  fleets.front().definitions = definitions_.usual();
  fleets.front().headline_units = {headline_units_.begin(), headline_units_.end()};
  if (!gpus.units.empty()) note_missing_gpus(gpus, hosts, fleets.front());
  for (const auto& [host, place] : places_.of_host)
    if (!seen_.contains(host))
      fleets.front().missing.push_back({.unit = host, .reason = "nothing was measured"});
  return fleets;
}

}  // namespace

std::vector<MeasuredFleet> read_fleet(const Store& store, const std::string& filter,
                                      const FleetPlaces& places) {
  Reader reader(store, filter, places);
  std::vector<StoredRun> runs = whole_runs(store);
  std::reverse(runs.begin(), runs.end());
  for (const StoredRun& run : runs) reader.read(run);
  auto fleets = reader.finish();
  if (fleets.empty()) throw std::runtime_error("nothing was measured that could be judged");
  return fleets;
}

}  // namespace assay::results
