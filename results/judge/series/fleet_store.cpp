// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/fleet_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <unordered_map>

#include "results/judge/fleet/fleet_point.hpp"
#include "results/judge/series/aggregate_runs.hpp"
#include "results/judge/series/faulty_ports.hpp"
#include "results/judge/series/fleet_batches.hpp"
#include "results/judge/series/fleet_doubts.hpp"
#include "results/judge/series/fleet_kind.hpp"
#include "results/judge/series/uneven_points.hpp"
#include "results/judge/statistics/copied_samples.hpp"
#include "results/record/clock_watch.hpp"
#include "results/store/measured_together.hpp"
#include "results/store/measured_unit.hpp"
#include "results/store/retest.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

constexpr double unknown_start = std::numeric_limits<double>::quiet_NaN();

class Reader {
 public:
  Reader(const Store& store, const std::string& filter, const FleetPlaces& places,
         std::span<const StoredRun> runs)
      : batches_(store, filter, runs), places_(places), copies_(store) {
    host_.fleet.unit_level = fleet_unit::host;
    host_.fleet.levels = places.levels;
    gpu_.fleet.levels = places.levels;
    gpu_.fleet.levels.insert(gpu_.fleet.levels.begin(), "host");
    port_.fleet.unit_level = fleet_unit::port;
    port_.fleet.levels = gpu_.fleet.levels;
    link_.fleet.unit_level = fleet_unit::link;
    link_.fleet.levels = {"rail"};
    std::int64_t points = 0;
    for (const StoredRun& run : runs) points += run.points();
    copies_.expect(static_cast<std::size_t>(std::max<std::int64_t>(points, 0)));
    for (std::size_t run = 0; run < runs.size(); ++run) {
      runs_.push_back({seconds_of(runs[run].started).value_or(unknown_start), is_retest(runs[run].run_id)});
      read(runs[run].run_id, run);
    }
  }

  std::vector<MeasuredFleet> finish();

 private:
  std::vector<FleetIssue> host_doubts();

  /// Facts about a sort of points.
  struct Known {
    FleetKind* kind = nullptr;
    FleetDefinitions::Hosts* meant_so = nullptr;
    std::size_t part = 0;                      // number of the part of a host
    std::optional<std::uint32_t> metric = {};  // once it has a value
  };
  /// The process whose points are read.
  struct Latest {
    const ContextRecord* context = nullptr;
    bool together = false;
    std::uint32_t host = 0, source = 0;                    // numbers
    std::vector<std::optional<std::uint32_t>> units = {};  // by part
  };

  void read(const std::string& run_id, std::size_t run) {
    for (FleetKind* kind : {&host_, &gpu_, &port_, &link_}) kind->runs.emplace_back();
    latest_ = {};
    FleetBatch batch = batches_.next(run);
    const auto contexts = std::move(batch.contexts);
    for (const auto& [process, context] : contexts) note_process(context);
    for (;; batch = batches_.next(run)) {
      for (const BatchedPoint& point : batch.points) {
        const auto context = contexts.find(point.process);
        if (context == contexts.end())
          throw std::runtime_error(fmt::format("{}: a point without the context of its process", run_id));
        begin(context->second);
        point.whole ? take(*point.whole) : take(point);
      }
      if (batch.ends_run) return;
    }
  }

  void note_process(const ContextRecord& context) {
    const auto gpus = context.machine.find("gpus");
    if (gpus != context.machine.end() && gpus->is_array()) gpus_.count(context.host, gpus->size());
  }

  void begin(const ContextRecord& context) {
    if (latest_.context == &context) return;
    if (origin_.empty()) origin_ = to_string(context.origin);
    if (to_string(context.origin) != origin_)
      throw std::runtime_error(
          fmt::format("points that are {} and points that are {} in one fleet: --filter or another store",
                      origin_, to_string(context.origin)));
    seen_.insert(context.host);
    latest_ = {&context, measured_together(context), definitions_.number_of(context.host),
               copies_.source_of(context.run_id, context.host)};
  }

  /// A plain one, of which there are many.
  void take(const BatchedPoint& point) {
    const auto [place, fresh] = known_.try_emplace(point.sort);
    Known& known = place->second;
    const PartIdentity& identity = point.sort->identity;
    if (fresh) {
      refuse_mixed_units(point.sort->case_name, point.sort->metric, point.sort->unit);
      known = {&kind_of(identity), &definitions_.hosts_of(identity.metric, point.sort->definition),
               parts_.try_emplace(identity.part, parts_.size()).first->second};
    }
    FleetDefinitions::note(*known.meant_so, latest_.host);
    copies_.add(latest_.source, point.hash, point.id);
    if (known.part >= latest_.units.size()) latest_.units.resize(parts_.size());
    auto& unit = latest_.units[known.part];
    if (!unit) unit = unit_of(*known.kind, identity);
    if (point.is_aggregate) note_aggregate(*known.kind, *unit, identity.metric);
    if (latest_.together) {
      ++known.kind->together;
      return known.kind->under_load.add(known.kind->runs.size() - 1, identity.metric, *unit, point.time_s);
    }
    if (!known.metric) known.metric = known.kind->metric(identity.metric);
    known.kind->runs.back().push_back({*known.metric, *unit, point.time_s, point.excess});
  }

  void take(const FleetPoint& point) {
    const PointEvidence& evidence = point.evidence;
    refuse_mixed_units(point.case_name, evidence.metric, evidence.unit);
    const auto doubt = doubt_about(evidence, point.samples_s);
    if (const auto links = point.links(); !links.empty()) {
      const std::string metric = link_metric_of(point);
      note(point, metric);
      faulty_ports_.take(point);
      for (const MeasuredLink& link : links)
        take_value(link_, link_of(link), metric, point, link.time_s,
                   doubt && links.size() > 1 ? point.doubt_about_link(link) : doubt);
      return;
    }
    const PartIdentity identity = part_identity_of(point.case_name, point.key);
    note(point, identity.metric);
    FleetKind& kind = kind_of(identity);
    take_value(kind, unit_of(kind, identity), identity.metric, point, evidence.time_s, doubt);
  }

  void take_value(FleetKind& kind, std::uint32_t unit, const std::string& metric, const FleetPoint& point,
                  double time_s, const std::optional<PointDoubt>& doubt) {
    const Status status = point.evidence.status;
    const std::string& name = kind.fleet.units[unit].name;
    // A point that the unit lacks in all its runs is seen by comparison with the others.
    if (status == Status::unsupported) return void(++kind.unsupported[{unit, metric}]);
    if (status != Status::ok)
      return void(kind.failed.push_back({name, metric, to_string(status) + ": " + point.reason}));
    if (doubt && doubt->is_wrong) return void(kind.failed.push_back({name, metric, doubt->why}));
    if (latest_.together) {
      ++kind.together;
      return doubt ? void() : kind.under_load.add(kind.runs.size() - 1, metric, unit, time_s);
    }
    if (point.evidence.is_aggregate() && !doubt) note_aggregate(kind, unit, metric);
    const std::uint32_t number = kind.metric(metric);
    if (!doubt) return void(kind.runs.back().push_back({number, unit, time_s, excess_of(point)}));
    ++kind.doubted.try_emplace({unit, number}, FleetIssue{name, metric, doubt->why}).first->second.points;
  }

  void note_aggregate(const FleetKind& kind, std::uint32_t unit, const std::string& metric) {
    aggregates_.note(kind.fleet.units[unit].name, metric, kind.runs.size());
  }

  void note(const FleetPoint& point, const std::string& metric) {
    if (point.evidence.status != Status::ok) return;
    FleetDefinitions::note(definitions_.hosts_of(metric, point.evidence.definition), latest_.host);
    copies_.add(latest_.source, hash_of_point(metric, point), point.id);
  }

  /// Refuses a second unit for the headline of a case.
  void refuse_mixed_units(const std::string& case_name, const std::string& metric, const std::string& unit) {
    if (metric.empty()) return;
    const auto [at, fresh] = headline_units_.try_emplace(case_name + ": " + metric, unit);
    if (!fresh && at->second != unit)
      throw std::runtime_error(
          fmt::format("{} is in '{}' and in '{}': points of one name and two units in one fleet: --filter or "
                      "another store",
                      at->first, at->second, unit));
  }

  FleetKind& kind_of(const PartIdentity& identity) {
    return identity.level() == fleet_unit::host ? host_ : identity.level() == fleet_unit::port ? port_ : gpu_;
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

  std::uint32_t unit_of(FleetKind& kind, const PartIdentity& identity) {
    const std::string& host = latest_.context->host;
    if (!identity.gpu.empty()) gpus_.take(host, identity.gpu);
    const std::string name = identity.unit(host);
    const auto [at, fresh] =
        kind.units.try_emplace(name, static_cast<std::uint32_t>(kind.fleet.units.size()));
    if (!fresh) return at->second;
    FleetUnit unit{name, equals_of(latest_.context->machine, identity.gpu), {}};
    if (!places_.levels.empty()) {
      if (!places_.of_host.contains(host))
        throw std::runtime_error(fmt::format("the file of places does not know host '{}'", host));
      unit.places = places_.of(host, identity.part);
    }
    if (!identity.part.empty()) unit.places.insert(unit.places.begin(), host);
    kind.fleet.units.push_back(std::move(unit));
    return at->second;
  }

  FleetBatches batches_;
  std::string origin_;
  std::vector<RunOfFleet> runs_;
  const FleetPlaces& places_;
  CopiedJournals copies_;
  FleetDefinitions definitions_;
  MeasuredGpus gpus_;
  Latest latest_;
  std::unordered_map<const PointSort*, Known> known_;
  std::unordered_map<std::string, std::size_t> parts_;  // numbers
  std::set<std::string> seen_;                          // hosts
  std::unordered_map<std::string, std::string> headline_units_;
  FleetKind host_, gpu_, port_, link_;
  LinkEnds ends_;
  FaultyPorts faulty_ports_;
  AggregateRuns aggregates_;
};

std::vector<FleetIssue> Reader::host_doubts() {
  std::vector<FleetIssue> doubts;
  const auto add = [&](const std::vector<std::string>& lines, const char* meaning) {
    for (const std::string& line : lines) doubts.push_back({.reason = line, .meaning = meaning});
  };
  add(definitions_.differences(), "points of one name that mean different things are not compared");
  add(gpus_.unmeasured(), "what was not measured is not accepted");
  add(aggregates_.lines(), "one number a run has no interval: noise is known between runs only");
  add(copies_.finish(), "what one machine measured says nothing of another, and a copy nothing new");
  return doubts;
}

std::vector<MeasuredFleet> Reader::finish() {
  const Fleet hosts = host_.fleet, gpus = gpu_.fleet;
  // Only this thread uses the store from here: all batches were taken, and arranging does not read it.
  std::future<std::vector<FleetIssue>> doubts =
      std::async(std::launch::async, [this] { return host_doubts(); });
  std::vector<MeasuredFleet> fleets;
  for (FleetKind* kind : {&gpu_, &host_, &port_, &link_})
    if (!kind->fleet.units.empty()) fleets.push_back(arrange(std::move(*kind), runs_));
  if (fleets.empty()) return fleets;
  for (MeasuredFleet& fleet : fleets) fleet.origin = origin_;
  if (fleets.back().first.unit_level == "link") {
    if (MeasuredFleet ends = ends_of(fleets.back(), ends_, places_); !ends.first.units.empty())
      fleets.push_back(std::move(ends));
    std::ranges::move(faulty_ports_.issues(), std::back_inserter(fleets.back().failed));
  }
  fleets.front().host_doubts = doubts.get();
  fleets.front().definitions = definitions_.usual();
  fleets.front().headline_units = {headline_units_.begin(), headline_units_.end()};
  if (!gpus.units.empty())
    std::ranges::move(missing_gpus(gpus, hosts), std::back_inserter(fleets.front().missing));
  for (const auto& [host, place] : places_.of_host)
    if (!seen_.contains(host))
      fleets.front().missing.push_back({.unit = host, .reason = "nothing was measured"});
  return fleets;
}

}  // namespace

std::vector<MeasuredFleet> read_fleet(const Store& store, const std::string& filter,
                                      const FleetPlaces& places) {
  std::vector<StoredRun> runs = whole_runs(store);
  std::reverse(runs.begin(), runs.end());
  auto fleets = Reader(store, filter, places, runs).finish();
  if (fleets.empty()) throw std::runtime_error("nothing was measured that could be judged");
  return fleets;
}

}  // namespace assay::results
