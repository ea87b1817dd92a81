// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/export/curve_timings_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "results/export/timings_text.hpp"
#include "results/points/collective_points.hpp"
#include "results/points/fabric_points.hpp"
#include "results/points/overlap_points.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

constexpr auto unlimited = std::numeric_limits<std::int64_t>::max();
constexpr const char* size_columns =
    "operation,conditions,region,size_bytes,machine,time_us,time_min_us,time_max_us\n";

/// Points of a bandwidth, repetitions joined; the others are counted.
std::vector<StoredPoint> bandwidths(const RunPoints& run, const char* cases, std::int64_t& left_out) {
  std::vector<StoredPoint> usable;
  for (StoredPoint& point : run.rows(cases)) {
    const bool timing = point.status == Status::ok && point.time_s > 0 && point.work_bytes > 0 &&
                        point.metric == "bandwidth_gb_per_s";
    if (timing)
      usable.push_back(std::move(point));
    else
      ++left_out;
  }
  return combine_repetitions(std::move(usable));
}

/// "L2": the first level whose caches of `threads` cores hold the footprint.
std::string cache_of(const nlohmann::ordered_json& machine, std::int64_t footprint_bytes,
                     std::int64_t threads) {
  for (const auto& cache : machine.at("cpu").at("caches")) {
    if (cache.at("type") == "instruction") continue;
    const std::int64_t caches =
        std::min(std::max<std::int64_t>(threads, 1), cache.at("instances").get<std::int64_t>());
    if (footprint_bytes <= caches * cache.at("bytes").get<std::int64_t>())
      return fmt::format("L{}", cache.at("level").get<int>());
  }
  return "memory";
}

class Regions {
 public:
  explicit Regions(const RunPoints& run) : run_(run) {
    for (const ContextRecord& context : run.contexts()) machines_.emplace(context.process, context.machine);
  }

  std::string of(const StoredPoint& point) const {
    const auto machine = machines_.find(point.process);
    const bool known = machine != machines_.end() && machine->second.contains("cpu") &&
                       machine->second.at("cpu").contains("caches");
    if (point.back_end() != "host" || !known)
      return field_text(run_.record(point.id).derived, {"cache_state"});
    return cache_of(machine->second, field_integer(point.axes, {"bytes"}).value_or(0),
                    field_integer(point.axes, {"threads"}).value_or(1));
  }

 private:
  const RunPoints& run_;
  std::map<std::int64_t, nlohmann::ordered_json> machines_;
};

std::string size_row(const StoredPoint& point, const std::string& region, double bytes,
                     const std::string& host) {
  return fmt::format("{}.{},{},{},{:.0f},{},{}\n", point.back_end(), point.benchmark(),
                     csv_cell(without(point.axes, "bytes")), csv_cell(region), bytes, csv_cell(host),
                     csv_times(point));
}

constexpr std::array posting_axes{"qps", "tx_depth", "post_list", "cq_moderation"};

/// The axes that tell how a stream is posted, and those that both kinds of points have.
std::pair<Fields, Fields> posting_and_rest(const Fields& axes) {
  std::pair<Fields, Fields> parts;
  for (const auto& axis : axes) {
    const bool posting = std::ranges::count(posting_axes, axis.first) > 0;
    if (axis.first != "operation" && axis.first != "bytes")
      (posting ? parts.first : parts.second).push_back(axis);
  }
  return parts;
}

std::string hosts_of(const FabricPoint& point, const std::string& otherwise) {
  std::string hosts;
  for (const auto& [rank, host] : point.hosts()) hosts += hosts.empty() ? host : "+" + host;
  return hosts.empty() ? otherwise : hosts;
}

std::optional<double> message_us(const FabricPoint& point) {
  if (point.point.benchmark() == "latency") return 1e6 * point.point.time_s;
  const auto rate_m_per_s = point.metric("message_rate_m_per_s");
  if (rate_m_per_s && *rate_m_per_s > 0) return 1 / *rate_m_per_s;
  return std::nullopt;
}

bool one_way(const FabricPoint& point) {
  return point.link.link_class < LinkClass::lossy && field_text(point.point.axes, {"operation"}) != "read" &&
         field_integer(point.point.axes, {"bytes"}).value_or(0) > 0 && message_us(point);
}

/// Of a processor at one end, where the record tells both halves of it.
std::optional<double> overhead_us(const FabricPoint& point) {
  const auto posting = point.metric("host_posting_us"), taking = point.metric("host_taking_us");
  if (!posting || !taking || *posting + *taking <= 0) return std::nullopt;
  return (*posting + *taking) / 2;
}

void add_verbs(TimingsCsv& csv, const FabricPoint& point, const std::string& host) {
  if (!one_way(point)) {
    ++csv.left_out;
    return;
  }
  const auto posting_and_others = posting_and_rest(point.point.axes);
  const auto add = [&](const char* kind, double time_us) {
    const auto& [posting, rest] = posting_and_others;
    add_row(csv,
            fmt::format("{},{},{},{},{},{},{:.9g}\n", field_text(point.point.axes, {"operation"}), kind,
                        csv_cell(posting), csv_cell(rest), *field_integer(point.point.axes, {"bytes"}),
                        csv_cell(hosts_of(point, host)), time_us),
            point.point, host);
  };
  const bool latency = point.point.benchmark() == "latency";
  add(latency ? "latency" : "stream", *message_us(point));
  if (const auto overhead = overhead_us(point); latency && overhead) add("overhead", *overhead);
}

/// Not where the aggressor was not there all the time.
const Metric* slowdown_of(const PointRecord& record) {
  if (field_integer(record.conditions, {"aggressor_ran_dry"}).value_or(0) > 0) return nullptr;
  const auto found = std::ranges::find(record.metrics, "slowdown", &Metric::name);
  return found != record.metrics.end() && found->value > 0 && found->lower && found->upper ? &*found
                                                                                           : nullptr;
}

}  // namespace

TimingsCsv memory_timings_csv(const Store& store, const std::optional<std::string>& run_id) {
  const RunPoints run(store, run_id, unlimited);
  const std::string host = one_host(store, run.stored(), "memory");
  const Regions regions(run);
  TimingsCsv csv{.text = size_columns};
  for (const StoredPoint& point : bandwidths(run, "memory.*", csv.left_out)) {
    add_row(csv, size_row(point, regions.of(point), point.work_bytes, host), point, host);
  }
  finish_rows(csv, store, run.stored(), "memory", "a memory over sizes");
  return csv;
}

TimingsCsv link_timings_csv(const Store& store, const std::optional<std::string>& run_id) {
  const RunPoints run(store, run_id, unlimited);
  const std::string host = one_host(store, run.stored(), "offload");
  TimingsCsv csv{.text = size_columns};
  for (const StoredPoint& point : bandwidths(run, "offload.*.copy", csv.left_out)) {
    const auto bytes = static_cast<double>(field_integer(point.axes, {"bytes"}).value_or(0));
    add_row(csv, size_row(point, "", bytes, host), point, host);
  }
  finish_rows(csv, store, run.stored(), "offload", "a copy between host and GPU");
  return csv;
}

TimingsCsv verbs_timings_csv(const Store& store, const std::optional<std::string>& run_id) {
  const RunPoints run(store, run_id, unlimited);
  const std::string host = one_host(store, run.stored(), "rdma");
  TimingsCsv csv{.text = "operation,kind,posting,conditions,size_bytes,machine,time_us\n"};
  for (const char* benchmark : {"latency", "bandwidth", "message_rate"})
    for (const FabricPoint& point : fabric_points(run, std::string("rdma.*.") + benchmark))
      add_verbs(csv, point, host);
  finish_rows(csv, store, run.stored(), "rdma", "messages over verbs");
  return csv;
}

TimingsCsv slowdowns_csv(const Store& store, const std::optional<std::string>& run_id) {
  const RunPoints run(store, run_id, unlimited);
  const std::string host = one_host(store, run.stored(), "offload");
  TimingsCsv csv{.text = "victim,aggressor,conditions,machine,slowdown,slowdown_min,slowdown_max\n"};
  for (const StoredPoint& point : run.rows("offload.*.interference")) {
    if (aggressor_count(point.axes).count == 0) continue;  // a control
    const PointRecord& record = run.record(point.id);
    const Metric* slowdown = point.status == Status::ok ? slowdown_of(record) : nullptr;
    if (slowdown == nullptr) {
      ++csv.left_out;
      continue;
    }
    add_row(csv,
            fmt::format("{},{},{},{},{:.9g},{:.9g},{:.9g}\n", field_text(point.axes, {"victim"}),
                        field_text(point.axes, {"aggressor"}),
                        csv_cell(without(without(point.axes, "victim"), "aggressor")), csv_cell(host),
                        slowdown->value, *slowdown->lower, *slowdown->upper),
            point, host);
  }
  finish_rows(csv, store, run.stored(), "offload", "interference");
  return csv;
}

}  // namespace assay::results
