// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/export/timings_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "harness/core/measure/vector_kernels.hpp"
#include "harness/core/names.hpp"
#include "results/export/timings_writer.hpp"
#include "results/points/kinds/collective_points.hpp"
#include "results/points/kinds/fabric_points.hpp"
#include "results/points/kinds/overlap_points.hpp"

namespace assay::results {
namespace {

/// The time of a corruption probe holds its comparisons too.
bool is_product(const StoredPoint& point) {
  return point.status == Status::ok && point.time_s > 0 && !point.benchmark().starts_with("corruption");
}

/// The values of a GEMM point other than its shape and type. Batched products say so first: one call for many
/// never counts among single ones (model/fit/rows/timing_rows.hpp).
std::string gemm_conditions(const StoredPoint& point, const PointRecord& record) {
  std::string text = point.back_end() + " " + field_text(record.derived, {"layout"});
  if (point.benchmark() == "attention") text = "batched/" + field_text(point.axes, {"product"}) + " " + text;
  for (const char* axis : {"data", "cache", "algorithm"})
    if (const std::string value = field_text(point.axes, {axis}); !value.empty()) text += " " + value;
  if (const std::string threads = field_text(point.axes, {"threads"}); !threads.empty())
    text += " threads=" + threads;
  return text;
}

std::string gemm_row(const StoredPoint& point, const PointRecord& record, const std::string& host) {
  const auto size = [&](const char* name) {
    return field_integer(record.derived, {name}).value_or(field_integer(point.axes, {name}).value_or(0));
  };
  return fmt::format("{},{},{},{},{},{},{},{},{}", size("m"), size("n"), size("k"),
                     field_integer(point.axes, {"batch"}).value_or(1),
                     timing_cell(field_text(point.axes, {"dtype"})),
                     timing_cell(gemm_conditions(point, record)), timing_cell(host),
                     field_text(record.conditions, {core::names::sm_count}), csv_times(point));
}

constexpr const char* size_columns =
    "operation,conditions,region,size_bytes,machine,time_us,time_min_us,time_max_us";

bool is_bandwidth(const StoredPoint& point) {
  return point.status == Status::ok && point.time_s > 0 && point.work_bytes > 0 &&
         point.metric == core::names::bandwidth_gb_per_s;
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

std::string region_of(const StoredPoint& point, const RunPoints& run,
                      const std::map<std::int64_t, ContextRecord>& contexts) {
  const auto context = contexts.find(point.process);
  const bool known = context != contexts.end() && context->second.machine.contains("cpu") &&
                     context->second.machine.at("cpu").contains("caches");
  if (point.back_end() != "host" || !known)
    return field_text(run.record(point.id).derived, {core::names::cache_state});
  return cache_of(context->second.machine, field_integer(point.axes, {"bytes"}).value_or(0),
                  field_integer(point.axes, {"threads"}).value_or(1));
}

/// Over a small footprint that stays in a cache an iteration goes many times: a row is one of them.
double passes_of(const PointRecord& record) {
  return static_cast<double>(
      std::max<std::int64_t>(1, field_integer(record.conditions, {core::names::passes}).value_or(1)));
}

struct SizeCells {
  std::string operation;
  Fields conditions;
  std::string region;
  double bytes;
  double passes = 1;  // over these bytes, in one iteration
};

void add_size(TimingsWriter& csv, const StoredPoint& point, const SizeCells& cells) {
  csv.add(point, fmt::format("{},{},{},{:.0f},{},{}", timing_cell(point.back_end() + "." + cells.operation),
                             timing_cell(cells.conditions), timing_cell(cells.region), cells.bytes,
                             timing_cell(csv.host()), csv_times(point, cells.passes)));
}

bool is_vector(const StoredPoint& point) { return point.benchmark() == "vector"; }
bool is_memory_bandwidth(const StoredPoint& point) { return is_bandwidth(point) && !is_vector(point); }

constexpr std::array posting_axes{"qps", "tx_depth", "post_list", "cq_moderation", "inline_bytes"};

/// The axes that say how a stream is posted, and those that both kinds of points have. A stream runs between
/// all pairs of a round, each at its own pace; a latency is of one pair.
std::pair<Fields, Fields> posting_and_rest(const Fields& axes) {
  std::pair<Fields, Fields> parts;
  for (const auto& axis : axes) {
    const bool posting = std::ranges::count(posting_axes, axis.first) > 0;
    if (axis.first != "operation" && axis.first != "bytes" && axis.first != "round")
      (posting ? parts.first : parts.second).push_back(axis);
  }
  return parts;
}

std::string hosts_of(const FabricPoint& point, const std::string& otherwise) {
  std::string hosts;
  for (const auto& [rank, host] : point.hosts()) hosts += hosts.empty() ? host : "+" + host;
  return hosts.empty() ? otherwise : hosts;
}

void add_verbs(TimingsWriter& csv, const FabricPoint& point) {
  if (!csv.wants(point.point)) return;
  if (!point.is_one_way()) return csv.leave_out();
  const auto posting_and_others = posting_and_rest(point.point.axes);
  const auto add = [&](const char* kind, double time_us) {
    const auto& [posting, rest] = posting_and_others;
    csv.add(point.point,
            fmt::format("{},{},{},{},{},{},{:.9g}", timing_cell(field_text(point.point.axes, {"operation"})),
                        kind, timing_cell(posting), timing_cell(rest),
                        *field_integer(point.point.axes, {"bytes"}), timing_cell(hosts_of(point, csv.host())),
                        time_us));
  };
  const bool latency = point.point.benchmark() == "latency";
  add(latency ? "latency" : "stream", 1e6 * point.point.time_s);
  if (const auto overhead = point.overhead_us(); latency && overhead) add("overhead", *overhead);
}

/// Empty of records that do not say.
std::string nodes_cell(const CollectivePoint& point) {
  return point.nodes() > 0 ? std::to_string(point.nodes()) : std::string();
}

/// Points that differ in the first alone have one overlap efficiency.
std::pair<Fields, Fields> swept_and_rest(const StoredPoint& point) {
  constexpr std::array swept{"layers", "width", "tokens", "bucket_bytes", "depth"};
  std::pair<Fields, Fields> parts;
  if (point.case_name.starts_with("collectives.nccl_overlap.")) parts.second.emplace_back("by", "nccl");
  for (const auto& axis : point.axes)
    (std::ranges::count(swept, axis.first) > 0 ? parts.first : parts.second).push_back(axis);
  return parts;
}

/// Not where the aggressor was not there all the time.
const Metric* slowdown_of(const PointRecord& record) {
  if (field_integer(record.conditions, {core::names::aggressor_ran_dry}).value_or(0) > 0) return nullptr;
  const Metric* const found = find(record.metrics, core::names::slowdown);
  return found != nullptr && found->value > 0 && found->lower && found->upper ? found : nullptr;
}

}  // namespace

TimingsCsv gemm_timings_csv(const Store& store, const std::optional<std::string>& run_id,
                            const std::string& filter) {
  TimingsWriter csv(store, {run_id, filter}, "gemm",
                    "m,n,k,batch,dtype,layout,machine,multiprocessors,time_us,time_min_us,time_max_us");
  for (const StoredPoint& point : csv.timings("gemm.*", is_product)) {
    const PointRecord& record = csv.run().record(point.id);
    if (!field_integer(record.derived, {"n"}) || field_text(point.axes, {"dtype"}).empty())
      csv.leave_out();  // a peak, not a product
    else
      csv.add(point, gemm_row(point, record, csv.host()));
  }
  return csv.finish("a GEMM");
}

TimingsCsv collective_timings_csv(const Store& store, const std::optional<std::string>& run_id,
                                  const std::string& filter) {
  TimingsWriter csv(store, {run_id, filter}, "collectives",
                    "op,ranks,nodes,size_bytes,dtype,algorithm,source,time_us,time_min_us,time_max_us");
  for (const CollectivePoint& point : collective_points(csv.run(), "collectives.*")) {
    if (!csv.wants(point.point)) continue;
    const std::int64_t bytes = point.bytes().value_or(0);
    if (point.not_a_performance_measurement() || point.ranks() < 2 || bytes < 1 ||
        !(point.point.time_s > 0) || !is_time_of_all_ranks(csv.run().record(point.point.id))) {
      csv.leave_out();
      continue;
    }
    std::string dtype = field_text(point.point.axes, {"dtype"});
    if (dtype.empty()) dtype = unknown_dtype;
    Fields rest = point.point.axes;
    for (const char* axis : {"bytes", "dtype", "algorithm", "protocol"}) rest = without(rest, axis);
    for (auto& [axis, value] : rest)  // fewer ranks of the same machine
      if (axis == "groups" && scalar_text(value).starts_with(core::names::first_ranks)) value = "all";
    csv.add(
        point.point,
        fmt::format("{},{},{},{},{},{},{},{}", timing_cell(point.operation()), point.ranks(),
                    nodes_cell(point), bytes, timing_cell(dtype), timing_cell(point.contender()),
                    timing_cell(fmt::format("{}/{}{}", csv.host(), point.point.back_end(), text_of(rest))),
                    csv_times(point.point)));
  }
  return csv.finish("a collective");
}

TimingsCsv memory_timings_csv(const Store& store, const std::optional<std::string>& run_id,
                              const std::string& filter) {
  TimingsWriter csv(store, {run_id, filter}, "memory", size_columns);
  const auto contexts = contexts_by_process(store, csv.run().stored());
  for (const StoredPoint& point : csv.timings("memory.*", is_memory_bandwidth)) {
    const double passes = passes_of(csv.run().record(point.id));
    add_size(csv, point,
             {point.benchmark(), without(point.axes, "bytes"), region_of(point, csv.run(), contexts),
              point.work_bytes / passes, passes});
  }
  return csv.finish("a memory over sizes");
}

TimingsCsv vector_timings_csv(const Store& store, const std::optional<std::string>& run_id,
                              const std::string& filter) {
  TimingsWriter csv(store, {run_id, filter}, "memory", size_columns);
  for (const StoredPoint& point : csv.timings("memory.*.vector", is_bandwidth)) {
    const auto bytes = field_integer(csv.run().record(point.id).derived, {core::tensor_bytes});
    if (bytes.value_or(0) <= 0)
      csv.leave_out();
    else
      add_size(csv, point,
               {field_text(point.axes, {"kernel"}), without(without(point.axes, "kernel"), "elements"), "",
                static_cast<double>(*bytes)});
  }
  return csv.finish("a vector kernel");
}

TimingsCsv link_timings_csv(const Store& store, const std::optional<std::string>& run_id,
                            const std::string& filter) {
  TimingsWriter csv(store, {run_id, filter}, "offload", size_columns);
  for (const StoredPoint& point : csv.timings("offload.*.copy", is_bandwidth))
    add_size(csv, point,
             {point.benchmark(), without(point.axes, "bytes"), "",
              static_cast<double>(field_integer(point.axes, {"bytes"}).value_or(0))});
  return csv.finish("a copy between host and GPU");
}

TimingsCsv verbs_timings_csv(const Store& store, const std::optional<std::string>& run_id,
                             const std::string& filter) {
  TimingsWriter csv(store, {run_id, filter}, "rdma",
                    "operation,kind,posting,conditions,size_bytes,machine,time_us");
  for (const char* benchmark : {"latency", "bandwidth", "message_rate"})
    for (const FabricPoint& point : fabric_points(csv.run(), std::string("rdma.*.") + benchmark))
      add_verbs(csv, point);
  return csv.finish("messages over verbs");
}

TimingsCsv slowdowns_csv(const Store& store, const std::optional<std::string>& run_id,
                         const std::string& filter) {
  TimingsWriter csv(store, {run_id, filter}, "offload",
                    "victim,aggressor,conditions,machine,slowdown,slowdown_min,slowdown_max");
  for (const StoredPoint& point : csv.run().rows("offload.*.interference")) {
    if (!csv.wants(point) || aggressor_count(point.axes).count == 0) continue;  // a control
    const PointRecord& record = csv.run().record(point.id);
    const Metric* slowdown = point.status == Status::ok ? slowdown_of(record) : nullptr;
    if (slowdown == nullptr) {
      csv.leave_out();
      continue;
    }
    csv.add(point,
            fmt::format("{},{},{},{},{:.9g},{:.9g},{:.9g}", timing_cell(field_text(point.axes, {"victim"})),
                        timing_cell(field_text(point.axes, {"aggressor"})),
                        timing_cell(without(without(point.axes, "victim"), "aggressor")),
                        timing_cell(csv.host()), slowdown->value, *slowdown->lower, *slowdown->upper));
  }
  return csv.finish("interference");
}

TimingsCsv overlaps_csv(const Store& store, const std::optional<std::string>& run_id,
                        const std::string& filter) {
  TimingsWriter csv(store, {run_id, filter}, "collectives",
                    "operation,conditions,point,machine,compute_us,communication_us,ideal_us,time_us");
  for (const StoredPoint& point : csv.run().rows("collectives.*overlap.*")) {
    if (!csv.wants(point)) continue;
    const PointRecord& record = csv.run().record(point.id);
    if (point.status != Status::ok || find(record.metrics, core::names::overlap_efficiency) == nullptr ||
        find(record.conditions, core::names::not_a_performance_measurement) != nullptr) {
      csv.leave_out();
      continue;
    }
    const auto [swept, conditions] = swept_and_rest(point);
    const auto us = [&](const char* name) { return find(record.metrics, name)->value; };
    csv.add(point, fmt::format("{},{},{},{},{:.9g},{:.9g},{:.9g},{:.9g}", timing_cell(point.benchmark()),
                               timing_cell(conditions), timing_cell(swept), timing_cell(csv.host()),
                               us(core::names::compute_only_us), us(core::names::communication_only_us),
                               us(core::names::ideal_us), us(core::names::time_us)));
  }
  return csv.finish("a pass with exchanges that could be hidden");
}

}  // namespace assay::results
