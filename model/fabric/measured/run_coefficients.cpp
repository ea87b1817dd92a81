// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "harness/core/names.hpp"
#include "model/fabric/measured/port_coefficients.hpp"
#include "model/fabric/routing/routing.hpp"
#include "results/points/kinds/collective_points.hpp"

namespace assay::model::fabric::measured {

namespace {

using results::FabricPoint;
using results::Number;

constexpr double plateau_tolerance = 0.03;
constexpr double us_per_byte_of_gb_per_s = 1e-3;

std::int64_t bytes_of(const FabricPoint& point) {
  return results::field_integer(point.point.axes, {"bytes"}).value_or(0);
}

std::vector<FabricPoint> one_way_points(const results::RunPoints& run, const char* cases) {
  std::vector<FabricPoint> points = results::fabric_points(run, cases);
  std::erase_if(points, [](const FabricPoint& one) { return !one.is_one_way() || !one.stamp.empty(); });
  return points;
}

bool writes(const FabricPoint& point) {
  return results::field_text(point.point.axes, {"operation"}) == "write";
}

/// The bandwidth of one flow. If several ran at once, the headline is the slowest one's, with the interval of
/// all.
Number flow_gb_per_s(const FabricPoint& point) {
  const Number slowest = point.bandwidth_gb_per_s();
  const double median = point.metric(core::names::median_flow_gb_per_s).value_or(slowest.value);
  return results::mapped(slowest, [&](double value) { return value * median / slowest.value; });
}

void take_goodput(const results::RunPoints& run, PortCoefficients& ports) {
  const std::vector<FabricPoint> points = one_way_points(run, "rdma.*.bandwidth");
  if (points.empty()) {
    ports.unused.emplace_back("goodput: the run has no rdma bandwidth over a link without loss");
    return;
  }
  const auto rank = [](const FabricPoint& one) {
    return std::tuple(writes(one), bytes_of(one), flow_gb_per_s(one).value);
  };
  const FabricPoint& best = *std::ranges::max_element(points, {}, rank);
  ports.goodput_gb_per_s = flow_gb_per_s(best);
  double before = 0;
  std::int64_t before_bytes = 0;
  for (const FabricPoint& one : points) {
    if (writes(one) != writes(best) || bytes_of(one) >= bytes_of(best) || bytes_of(one) < before_bytes)
      continue;
    before = std::max(bytes_of(one) > before_bytes ? 0 : before, flow_gb_per_s(one).value);
    before_bytes = bytes_of(one);
  }
  if (before_bytes > 0 && before < (1 - plateau_tolerance) * ports.goodput_gb_per_s->value)
    ports.unused.push_back(
        fmt::format("messages above {}: {} reach {:.4g} GB/s, which is not a plateau yet: larger ones may "
                    "reach more",
                    results::bytes_text(bytes_of(best)), results::bytes_text(before_bytes), before));
}

/// From rank 0's host to those of the others; 0 where they are not equally far.
std::size_t links_crossed(const RankHosts& hosts, const FabricPoint& point) {
  const auto ranks =
      static_cast<std::size_t>(results::field_integer(point.conditions, {core::names::ranks})
                                   .value_or(static_cast<std::int64_t>(point.ranks.size()) + 1));
  if (ranks < 2) return 0;
  const std::vector<NodeId> places = hosts.hosts_of(point, ranks);
  const Router router(hosts.topology(), {});
  std::set<std::size_t> counts;
  for (std::size_t rank = 1; rank < ranks; ++rank)
    router.route(places[0], places[rank], 1, 0, [&](std::span<const LinkId> path, std::uint64_t bytes) {
      if (bytes > 0) counts.insert(path.size());
    });
  return counts.size() == 1 ? *counts.begin() : 0;
}

/// The smallest messages of each way of pairing, without the time that their bytes take.
void take_latency(const results::RunPoints& run, const RankHosts& hosts, PortCoefficients& ports) {
  const std::vector<FabricPoint> points = one_way_points(run, "rdma.*.latency");
  if (points.empty()) return;
  const bool any_writes = std::ranges::any_of(points, writes);
  std::int64_t least = bytes_of(points.front());
  for (const FabricPoint& one : points) least = std::min(least, bytes_of(one));
  const double us_per_byte =
      ports.goodput_gb_per_s ? us_per_byte_of_gb_per_s / ports.goodput_gb_per_s->value : 0;
  for (const FabricPoint& one : points) {
    if (writes(one) != any_writes || bytes_of(one) != least) continue;
    const double payload_us = us_per_byte * static_cast<double>(least - 1);
    ports.one_way.push_back({1e6 * one.point.time_s - payload_us, links_crossed(hosts, one)});
    if (const auto overhead = one.overhead_us()) ports.overhead_us = overhead;
  }
}

void take_gap(const results::RunPoints& run, PortCoefficients& ports) {
  for (const FabricPoint& one : one_way_points(run, "rdma.*.message_rate")) {
    const double us = 1e6 * one.point.time_s;
    ports.gap_us = std::min(us, ports.gap_us.value_or(us));
  }
}

void take_node(const results::RunPoints& run, PortCoefficients& ports) {
  std::tuple<std::int64_t, std::int64_t, double> best;
  for (const results::CollectivePoint& one : results::collective_points(run, "collectives.nccl.all_reduce")) {
    const Number bus = one.interval(core::names::busbw_gb_per_s);
    if (one.nodes() != 1 || one.ranks() < 2 || one.not_a_performance_measurement() || !(bus.value > 0))
      continue;
    const std::tuple own(one.ranks(), one.bytes().value_or(0), bus.value);
    if (own <= best) continue;
    best = own;
    ports.node_gb_per_s = bus;
  }
}

}  // namespace

PortCoefficients run_coefficients(const results::RunPoints& run, const std::string& store,
                                  const RankHosts& hosts) {
  PortCoefficients ports{.source =
                             fmt::format("run {} of {} ({})", run.stored().run_id, store, run.origin())};
  take_goodput(run, ports);
  take_latency(run, hosts, ports);
  take_gap(run, ports);
  take_node(run, ports);
  return ports;
}

}  // namespace assay::model::fabric::measured
