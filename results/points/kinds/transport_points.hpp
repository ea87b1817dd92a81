// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points of one message stream or ping-pong between two ranks, whatever carried the messages: TCP, shared
// memory, verbs.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "harness/core/names.hpp"
#include "results/points/run_points.hpp"

namespace assay::results {

/// Whether the point is of a transport of the host: a point of the collectives module, but no collective.
bool is_host_transport(const StoredPoint& point);

struct TransportPoint : MeasuredPoint {
  bool is_tcp() const { return point.back_end() == "tcp"; }
  bool is_latency() const { return point.metric == core::names::latency_us; }
  std::optional<double> gb_per_s() const;  // of a stream
  std::optional<double> p99_us() const;
  /// The values that compared points have in common: benchmark, message size, how completions are noticed.
  std::tuple<std::string, std::int64_t, std::string> compared_by() const;
};

/// Points in order of compared_by(), TCP first among equals. `filter`: empty for all such cases.
std::vector<TransportPoint> transport_points(const RunPoints& run, const std::string& filter);

}  // namespace assay::results
