// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/load_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "harness/core/gpu_name.hpp"
#include "harness/core/names.hpp"
#include "results/points/run_points.hpp"
#include "results/record/clock_watch.hpp"
#include "results/store/measured_unit.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

std::string word_at(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string address_of(const Json& part) {
  return part.is_object() && part.contains("pcie") ? word_at(part["pcie"], "address") : "";
}

/// The node first, then its GPUs in their order, then its adapters.
std::vector<LoadedUnit> units_of(const ContextRecord& context) {
  const std::string& host = context.host;
  std::vector<LoadedUnit> units{{.kind = "node", .serial = host, .host = host}};
  const auto each = [&](const char* list, const auto& add) {
    if (!context.machine.is_object() || !context.machine.contains(list)) return;
    for (const Json& part : context.machine[list]) add(part);
  };
  each("gpus", [&](const Json& gpu) {
    const std::string serial = word_at(gpu, "serial");
    units.push_back({.kind = "gpu",
                     .serial = serial.empty() ? word_at(gpu, "uuid") : serial,
                     .host = host,
                     .unit = core::GpuName{std::to_string(units.size() - 1), address_of(gpu)}.text()});
  });
  each("hcas", [&](const Json& hca) {
    const std::string device = word_at(hca, "device");
    const bool known = std::ranges::any_of(units, [&](const LoadedUnit& one) { return one.unit == device; });
    if (!known && !hca.contains("software"))
      units.push_back({.kind = "nic", .serial = word_at(hca, "node_guid"), .host = host, .unit = device});
  });
  return units;
}

/// Finds a unit by its PCI address, its device, or the number of the GPU; null for the node.
const LoadedUnit* unit_named(const std::vector<LoadedUnit>& machine, const std::string& name) {
  for (const LoadedUnit& unit : machine) {
    if (unit.kind == "node") continue;
    const auto gpu = core::GpuName::from(unit.unit);
    if (gpu && !gpu->address.empty() && name.find(gpu->address) != std::string::npos) return &unit;
    if (unit.kind == "nic" && name.substr(0, name.find_first_of("/ ")) == unit.unit) return &unit;
  }
  return nullptr;
}

/// The GPU that a point measured; null of the node.
const LoadedUnit* unit_of(const PointRecord& record, const std::vector<LoadedUnit>& machine) {
  if (const std::string address = field_text(record.conditions, {core::names::gpu_pci_address});
      !address.empty())
    return unit_named(machine, address);
  const std::string gpu = identity_of(record.case_name, record.key).gpu;
  for (const LoadedUnit& unit : machine)
    if (const auto name = core::GpuName::from(unit.unit); name && !gpu.empty() && name->number == gpu)
      return &unit;
  return nullptr;
}

/// Seconds that are in any of them.
double covered_s(std::vector<std::pair<double, double>> times) {
  std::ranges::sort(times);
  double covered = 0, until = 0;
  for (const auto& [from, to] : times) {
    covered += std::max(0.0, to - std::max(from, until));
    until = std::max(until, to);
  }
  return covered;
}

bool is_burn_in(const ContextRecord& context) {
  return !word_at(context.environment, "ASSAY_BURN_IN").empty();
}

bool is_finding(const PointRecord& record) { return record.case_name == core::names::burn_in_health; }

}  // namespace

void LoadHistoryReader::add_failure(const PointRecord& record, const std::string& host,
                                    const Machine& machine) {
  const bool finding = is_finding(record);
  if (!finding && record.status != Status::wrong) {
    history_.unassigned += record.status == Status::failed || record.status == Status::timeout ? 1 : 0;
    return;
  }
  if (finding && record.status != Status::failed) return;  // unknown
  const LoadedUnit* const unit =
      finding ? unit_named(machine, field_text(record.point, {"unit"})) : unit_of(record, machine);
  history_.failures.push_back({.host = host,
                               .check = finding ? field_text(record.point, {"check"}) : "",
                               .kind = unit == nullptr ? "" : unit->kind,
                               .serial = unit == nullptr ? "" : unit->serial,
                               .since = record.started});
}

void LoadHistoryReader::add_point(const PointRecord& record, const std::string& host,
                                  const Machine& machine) {
  add_failure(record, host, machine);
  history_.corruption_seen |= find(record.metrics, core::names::verified_bytes) != nullptr ||
                              find(record.conditions, core::names::verified_bytes) != nullptr;
  const auto from_s = seconds_of(record.started);
  if (!from_s || record.elapsed_s <= 0 || is_finding(record)) return;
  const LoadedUnit* const measured = unit_of(record, machine);
  for (const LoadedUnit& unit : machine)
    if (unit.kind != "gpu" || &unit == measured) {
      auto& [known, times] = loads_[unit.kind + " " + unit.serial + " " + unit.unit + " " + host];
      known = unit;
      times.emplace_back(*from_s, *from_s + record.elapsed_s);
    }
}

void LoadHistoryReader::add_run(const Store& store, const StoredRun& run) {
  const auto contexts = contexts_by_process(store, run);
  std::map<std::int64_t, Machine> machines;
  for (const auto& [process, context] : contexts)
    if (context.origin == Origin::measured && is_burn_in(context)) machines[process] = units_of(context);
  if (machines.empty()) {
    const bool measured =
        std::ranges::any_of(contexts, [](const auto& one) { return one.second.origin == Origin::measured; });
    ++(measured ? history_.not_checked : history_.not_measured);
    return;
  }
  const std::size_t before = history_.failures.size();
  const RunPoints points(store, run.run_id, std::max<std::int64_t>(run.points(), 1));
  for (const StoredPoint& point : points.in_order("", points.stored().points()))
    if (const auto machine = machines.find(point.process); machine != machines.end())
      add_point(points.record(point.id), contexts.at(point.process).host, machine->second);
  // Once a run: rounds and points find the same again.
  std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
  std::erase_if(history_.failures, [&, at = std::size_t{0}](const LoadedFailure& one) mutable {
    return at++ >= before && !seen.emplace(one.host, one.check, one.kind, one.serial).second;
  });
}

void LoadHistoryReader::add(const Store& store) {
  for (const StoredRun& run : whole_runs(store)) add_run(store, run);
}

LoadHistory LoadHistoryReader::take() {
  for (auto& [name, load] : loads_) {
    load.first.loaded_s = covered_s(std::move(load.second));
    history_.units.push_back(std::move(load.first));
  }
  loads_.clear();
  return std::exchange(history_, {});
}

}  // namespace assay::results
