// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/show/highlights.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "harness/core/in_order.hpp"
#include "harness/core/names.hpp"
#include "results/points/kinds/copy_points.hpp"
#include "results/points/kinds/fabric_points.hpp"
#include "results/points/kinds/gemm_efficiency.hpp"
#include "results/points/kinds/moving_points.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

const std::vector<std::string> footprint_names{"bytes", "footprint"};

bool is_footprint(const std::string& axis) { return std::ranges::count(footprint_names, axis) > 0; }

std::int64_t footprint_of(const StoredPoint& point) {
  return field_integer(point.axes, footprint_names).value_or(0);
}

/// Axes worth a word with a number: those that vary over the points it was chosen from, and a few that
/// always are.
std::set<std::string> named_axes(const std::vector<StoredPoint>& points) {
  std::map<std::string, std::map<std::string, std::size_t>> times;
  for (const StoredPoint& point : points)
    for (const auto& [name, value] : point.axes) ++times[name][scalar_text(value)];
  std::set<std::string> named{"threads", "m", "n", "k"};
  for (const auto& [name, values] : times)
    if (values.size() > 1 || values.begin()->second < points.size()) named.insert(name);
  return named;
}

/// The axes as they are meant: n and k of 0 are those of m (gemm/points.hpp).
Fields meant_axes(const StoredPoint& point) {
  Fields axes = point.axes;
  const auto m = field_integer(point.axes, {"m"});
  for (auto& [name, value] : axes)
    if (m && (name == "n" || name == "k") && value == core::Scalar(std::int64_t{0})) value = *m;
  return axes;
}

/// "1 GiB, threads 64, temporal": the axes as a phrase.
std::string detail_of(const StoredPoint& point, const std::set<std::string>& named) {
  Fields rest;
  std::string text;
  for (const auto& axis : meant_axes(point)) {
    if (is_footprint(axis.first) && std::holds_alternative<std::int64_t>(axis.second))
      text = bytes_text(std::get<std::int64_t>(axis.second));
    else if (named.contains(axis.first))
      rest.push_back(axis);
  }
  const std::string others = group_text(rest);
  return text + (text.empty() || others.empty() ? "" : ", ") + others;
}

Highlight highlight(const StoredPoint& point, const std::string& label, const std::set<std::string>& named) {
  return {.back_end = point.back_end(),
          .label = label,
          .value = point.headline,
          .unit = point.unit,
          .detail = detail_of(point, named),
          .n = point.n,
          .efficiency = point.efficiency,
          .point = point.id};
}

/// Highlights of the best point of each group, groups in order of appearance.
template <class KeyOf, class LabelOf, class IsBetter>
std::vector<Highlight> best_of_each(const std::vector<StoredPoint>& points, KeyOf key_of, LabelOf label_of,
                                    IsBetter is_better, std::initializer_list<const char*> in_label = {}) {
  auto named = named_axes(points);
  for (const char* axis : in_label) named.erase(axis);
  core::InOrder<std::string, const StoredPoint*> best;
  for (const StoredPoint& point : points) {
    const StoredPoint*& of_group = best[key_of(point)];
    if (of_group == nullptr || is_better(point, *of_group)) of_group = &point;
  }
  std::vector<Highlight> all;
  for (const auto& [key, point] : best) all.push_back(highlight(*point, label_of(*point), named));
  return all;
}

bool is_higher(const StoredPoint& a, const StoredPoint& b) { return a.headline.value > b.headline.value; }

bool is_smaller_then_faster(const StoredPoint& a, const StoredPoint& b) {
  return std::pair(footprint_of(a), a.headline.value) < std::pair(footprint_of(b), b.headline.value);
}

bool is_larger_then_higher(const StoredPoint& a, const StoredPoint& b) {
  return is_smaller_then_faster(b, a);
}

std::string dtype_of(const StoredPoint& point) { return field_text(point.axes, {"dtype"}); }

std::vector<Highlight> bandwidths(const RunPoints& run) {
  return best_of_each(run.joined("memory.*", core::names::bandwidth_gb_per_s),
                      std::mem_fn(&StoredPoint::case_name), std::mem_fn(&StoredPoint::benchmark),
                      is_larger_then_higher);
}

/// One ladder: points that differ in footprint only, ascending.
std::vector<Highlight> steps_of(std::vector<StoredPoint> ladder, const std::vector<CacheLevel>& levels,
                                const std::set<std::string>& named) {
  std::stable_sort(ladder.begin(), ladder.end(),
                   [](const auto& a, const auto& b) { return footprint_of(a) < footprint_of(b); });
  std::vector<Highlight> steps;
  std::int64_t below = 0;
  for (const CacheLevel& level : levels) {
    if (level.back_end != ladder.front().back_end()) continue;
    const StoredPoint* within = nullptr;
    for (const StoredPoint& point : ladder)
      if (footprint_of(point) > below && footprint_of(point) <= level.bytes / 4 * 3) within = &point;
    if (within) steps.push_back(highlight(*within, level.name, named));
    below = level.bytes;
  }
  if (footprint_of(ladder.back()) > 2 * below) steps.push_back(highlight(ladder.back(), "memory", named));
  return steps;
}

std::vector<Highlight> latencies(const RunPoints& run) {
  const auto levels = cache_levels(machine_of(run));
  core::InOrder<std::string, std::vector<StoredPoint>> ladders;
  const auto points = run.joined("memory.*.latency", core::names::latency_ns);
  const auto named = named_axes(points);
  for (const StoredPoint& point : points) {
    Fields group = point.axes;
    std::erase_if(group, [](const auto& axis) { return is_footprint(axis.first); });
    ladders[point.case_name + " " + group_text(group)].push_back(point);
  }
  std::vector<Highlight> all;
  for (const auto& [key, ladder] : ladders)
    for (Highlight& step : steps_of(ladder, levels, named)) all.push_back(std::move(step));
  return all;
}

std::vector<Highlight> gemms(const RunPoints& run) {
  const auto points = run.joined("gemm.*", core::names::tflops);
  auto all = best_of_each(
      points, [](const StoredPoint& point) { return point.back_end() + " " + dtype_of(point); }, dtype_of,
      is_higher);
  for (Highlight& one : all) {
    const auto point = std::ranges::find(points, one.point, &StoredPoint::id);
    one.detail = point->benchmark() + ": " + one.detail;
    one.still_moving = still_moving(run, *point);
  }
  return all;
}

/// Whether the first of two points of the fabric says more.
using IsBetter = bool (*)(const StoredPoint&, const StoredPoint&);

/// One for each operation and transport of this benchmark.
std::vector<Highlight> fabric_highlights(const std::vector<FabricPoint>& points, const std::string& benchmark,
                                         IsBetter is_better) {
  std::vector<StoredPoint> chosen;
  std::map<std::int64_t, const FabricPoint*> by_id;
  for (const FabricPoint& point : points) {
    if (point.point.benchmark() != benchmark) continue;
    chosen.push_back(point.point);
    by_id[point.point.id] = &point;
  }
  const auto operation_of = [](const StoredPoint& point) {
    const std::string transport = field_text(point.axes, {"transport"});
    return field_text(point.axes, {"operation"}) +
           (transport.empty() || transport == "rc" ? "" : " " + transport);
  };
  auto all = best_of_each(chosen, operation_of, operation_of, is_better, {"operation", "transport"});
  for (Highlight& one : all) {
    const FabricPoint& fabric = *by_id.at(one.point);
    if (const auto percent = fabric.metric(core::names::percent_of_ceiling))
      one.efficiency = Number{*percent / 100};
    one.efficiency_of = "ceiling";
    if (fabric.link.link_class != LinkClass::clean) one.link_class = to_string(fabric.link.link_class);
  }
  return all;
}

/// "host to GPU", "8 GPUs, both at once", "GPU to GPU": what a copy is called on a card.
std::string copy_label(const StoredPoint& point) {
  const std::string gpus = field_text(point.axes, {"gpus"}), ways = field_text(point.axes, {"ways"});
  if (point.benchmark() == "peer_copy")
    return ways.starts_with("both") ? "GPU to GPU and back" : "GPU to GPU";
  const std::string way = field_text(point.axes, {"direction"});
  const std::string words = way == "h2d" ? "host to GPU" : way == "d2h" ? "GPU to host" : "both at once";
  return gpus.empty() ? words : gpus + (gpus == "1" ? " GPU, " : " GPUs, ") + words;
}

/// The best of each way; of the host's memory what is page-locked by CUDA alone, as others are compared by.
std::vector<Highlight> copies(const RunPoints& run) {
  std::vector<StoredPoint> points;
  std::map<std::int64_t, std::optional<Number>> shares;
  for (const CopyPoint& one : copy_points(run)) {
    const std::string memory = field_text(one.point.axes, {"memory"});
    if (!memory.empty() && memory != "pinned") continue;
    points.push_back(one.point);
    points.back().axes = axes_in_words(one.point.axes);
    shares[one.point.id] = one.share_of_ceiling();
  }
  auto all = best_of_each(points, copy_label, copy_label, is_higher,
                          {"direction", "ways", "gpus", "memory", "blocks"});
  for (Highlight& one : all) {
    one.back_end.clear();
    one.efficiency = shares.at(one.point);
    one.efficiency_of = "the link's ceiling";
  }
  return all;
}

}  // namespace

Highlights highlights_of(const RunPoints& run) {
  const auto fabric = fabric_points(run, "rdma.*");
  return {.bandwidth = bandwidths(run),
          .latency = latencies(run),
          .gemm = gemms(run),
          .rdma_latency = fabric_highlights(fabric, "latency", is_smaller_then_faster),
          .rdma_bandwidth = fabric_highlights(fabric, "bandwidth", is_larger_then_higher),
          .rdma_rate = fabric_highlights(fabric, "message_rate", is_higher),
          .rdma_unclean = unclean_text(fabric),
          .copies = copies(run)};
}

}  // namespace assay::results
