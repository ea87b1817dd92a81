// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A fleet out of a store: every host, and every GPU and port of a host, is a unit, every point a metric, and
// every run of a unit a fresh measurement.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/judge/fleet/fleet_judgement.hpp"
#include "results/judge/fleet/fleet_point.hpp"
#include "results/store/store.hpp"

namespace assay::results {

/// The places of hosts, and of their GPUs and ports: rack, switch, rail.
struct FleetPlaces {
  std::vector<std::string> levels;
  std::map<std::string, std::vector<std::string>> of_host;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> of_part =
      {};  // host, and "gpu3" or a port

  /// A place for each level, "" where it has none there. `part`: "gpu3", "mlx5_0", or "" for the host.
  std::vector<std::string> of(const std::string& host, const std::string& part) const;
};

/// CSV with a header: host, then perhaps gpu and port, then one column a level. Throws std::runtime_error
/// with file and line.
FleetPlaces read_places(const std::string& file);
/// Reads the file's text as read_places() does; `where` names it in messages.
FleetPlaces places_in(const std::string& text, const std::string& where);

struct MeasuredFleet {
  Fleet first;                           // round
  std::vector<Fleet> again = {};         // later rounds, NaN where a unit was not measured
  std::vector<FleetIssue> failed = {};   // points that failed, were wrong or hung
  std::vector<FleetIssue> doubted = {};  // by their own records, so that they count as no measurements
  /// Why hosts cannot be judged as equals: a point that means something else there, GPUs that were not
  /// measured, one measurement under two names. Of all fleets, in the first.
  std::vector<FleetIssue> host_doubts = {};
  std::vector<FleetIssue> missing = {};  // "2 of 40 points" of host7/gpu3
  std::vector<FleetIssue> uneven = {};   // points of which some samples are slower than those of their equals
  std::vector<FleetIssue> gaps = {};     // judged all the same: "measured in 4 of 5 rounds of its equals"
  std::string origin = "measured";
  std::size_t together = 0;  // points of a burn-in's rounds together, which none of the above has
  /// Those rounds, the first one first: the units of `first`, with metrics of their own.
  std::vector<Fleet> under_load = {};
  bool of_link_ends = false;  // not measured itself: see ends_of()
  /// The definition of each metric on most hosts (PointEvidence::definition), and the unit of each headline;
  /// of all fleets, in the first.
  std::map<std::string, std::string> definitions = {}, headline_units = {};

  /// Calls `take` with the first round and all later ones.
  template <class Take>
  void each_round(Take take) const {
    take(first);
    for (const Fleet& round : again) take(round);
  }
};

/// The two ends of each link, by the name of its unit.
using LinkEnds = std::map<std::string, std::pair<LinkEnd, LinkEnd>>;

/// "h1 - h2", "h1/rail0 - h2/rail0", whichever of them started it.
std::string link_name(const LinkEnd& one, const LinkEnd& other);
/// The names of both ends in such a name; nothing in the name of another place.
std::optional<std::array<std::string, 2>> ends_in(const std::string& place);

/// The suffix that the names of ends' metrics have after those of their links.
inline constexpr std::string_view as_an_end = ", as an end of links";

/// The ends of measured links, to show which end of a slow link is bad: what is slow with every peer is the
/// host or its adapter, what is slow with one is that peer or the way between them. The units are the hosts
/// that have two peers at least: each metric's time is what the host adds to its links, by medians over them,
/// in turns with what their other ends add. No units where fewer hosts than can be judged have so many peers.
MeasuredFleet ends_of(const MeasuredFleet& links, const LinkEnds& ends, const FleetPlaces& places);

/// One fleet for GPUs, one for hosts and one for ports, where there are any. Times of an iteration; `filter`
/// as in points_in_order. Throws std::runtime_error with one line: nothing measured, a host the places do not
/// know, records that are not measured mixed with ones that are.
std::vector<MeasuredFleet> read_fleet(const Store& store, const std::string& filter,
                                      const FleetPlaces& places);

}  // namespace assay::results
