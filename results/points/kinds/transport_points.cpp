// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/kinds/transport_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace assay::results {
namespace {

constexpr std::array<std::string_view, 3> transports{"tcp", "shared_memory", "verbs"};  // as shown

std::size_t place_of(const StoredPoint& point) {
  return static_cast<std::size_t>(std::ranges::find(transports, point.back_end()) - transports.begin());
}

bool between_two(const StoredPoint& point) {
  return place_of(point) < transports.size() &&
         (point.benchmark() == "bandwidth" || point.benchmark() == "latency");
}

}  // namespace

bool is_host_transport(const StoredPoint& point) {
  return point.case_name.starts_with("collectives.") && between_two(point);
}

std::optional<double> TransportPoint::gb_per_s() const {
  if (point.metric != core::names::bandwidth_gb_per_s || !std::isfinite(point.headline.value))
    return std::nullopt;
  return point.headline.value;
}

std::optional<double> TransportPoint::p99_us() const {
  return tail.p99_s ? std::optional(1e6 * *tail.p99_s) : std::nullopt;
}

std::tuple<std::string, std::int64_t, std::string> TransportPoint::compared_by() const {
  return {point.benchmark(), field_integer(point.axes, {"bytes"}).value_or(0),
          field_text(point.axes, {"completion"})};
}

std::vector<TransportPoint> transport_points(const RunPoints& run, const std::string& filter) {
  std::vector<TransportPoint> all;
  for (const std::string_view transport : transports) {
    const std::string cases =
        (transport == transports.back() ? "rdma." : "collectives.") + std::string(transport) + ".*";
    for (TransportPoint& one : as_view<TransportPoint>(run.measured(filter.empty() ? cases : filter)))
      if (place_of(one.point) < transports.size() && transports[place_of(one.point)] == transport &&
          between_two(one.point))
        all.push_back(std::move(one));
  }
  std::ranges::stable_sort(all, {}, &TransportPoint::compared_by);
  return all;
}

}  // namespace assay::results
