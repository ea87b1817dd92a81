// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A point as the judge of fleets reads it from a store: what it is of, what it says, and what it measured.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/points/point_doubts.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/store.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {

/// An end of a link: a host, and the rail of its adapter where the record has one.
struct LinkEnd {
  std::string host, rail;  // "h1", "rail0"
  std::string name() const { return rail.empty() ? host : host + "/" + rail; }
  friend auto operator<=>(const LinkEnd&, const LinkEnd&) = default;
};

struct MeasuredLink {
  LinkEnd one, other;
  double time_s = 0;
  int one_rank = 0, other_rank = 1;
};

struct FleetPoint {
  std::int64_t id = 0, process = 0;  // of its row
  std::string case_name, key, reason;
  PointEvidence evidence;
  std::vector<double> samples_s;

  /// The links between hosts that it measured, each with its own time: of flows that ran apart. A single
  /// pair, and a record without flows, has the point's time. Empty where no rank is on another host.
  std::vector<MeasuredLink> links() const;
  /// Whether flows between two ranks shared no adapter with those of two others.
  bool pairs_ran_apart() const;
  /// Whether the payload goes to the rank that its flow begins at.
  bool fetches() const;
  /// The end of a link at each rank whose host is recorded.
  std::map<int, LinkEnd> ends_by_rank() const;
  /// address_of_gid() of the rank; empty where the record names none.
  std::string address_of(int rank) const;
  /// Why one of its links does not count: the counters of other ranks say nothing of it.
  std::optional<PointDoubt> doubt_about_link(const MeasuredLink& link) const;
};

/// "bytes=8,round=3" is a measurement of the same kind in every round: without the axis.
std::string link_metric_of(const FleetPoint& point);

/// The kinds of units of a fleet (Fleet::unit_level).
namespace fleet_unit {
inline constexpr std::string_view gpu = "gpu", host = "host", port = "port", link = "link";
}

/// The part that a point measured: a GPU of the host, a port of it, or the host itself.
struct PartIdentity {
  std::string gpu, part;  // "3" and "gpu3"; "" and "mlx5_0"
  std::string metric;

  /// "h1/gpu3", "h1/mlx5_0", "h1".
  std::string unit(const std::string& host) const { return part.empty() ? host : host + "/" + part; }
  std::string_view level() const {
    return part.empty() ? fleet_unit::host : gpu.empty() ? fleet_unit::port : fleet_unit::gpu;
  }
};
PartIdentity part_identity_of(const std::string& case_name, const std::string& key);

/// The points of one run after the other, in the order in which they were measured.
class FleetPoints {
 public:
  /// `filter` as in points_in_order(). `cases`, a glob of names: no others are read; empty: all.
  FleetPoints(const Store& store, std::string filter, std::string cases = "");
  void begin(const StoredRun& run);
  /// Nothing at the end of the run. Lasts until the next call.
  const FleetPoint* next();

 private:
  std::string filter_, cases_;
  bool any_cases_;  // in the store
  Statement rows_;
  FleetPoint point_;
};

}  // namespace assay::results
