// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Limits made from a fleet's store, as a file that `assay accept --limits` reads, signed by a person.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/judge/fleet/node_quantile.hpp"
#include "results/judge/limits/limits_file.hpp"
#include "results/record/record.hpp"
#include "results/store/store.hpp"
#include "results/table/table.hpp"

namespace assay::results {

struct FleetLimit {
  std::string case_name;
  std::vector<std::pair<std::string, std::string>> point;  // without the GPU's number, patterns escaped
  std::string metric, unit;
  BadSide side = BadSide::low;
  NodeQuantile found = {};
};

struct FleetLimits {
  std::string machine;  // "8 x NVIDIA H100 80GB HBM3, Intel ..."
  MachineType type;     // as patterns
  std::size_t nodes = 0;
  std::string origin = "measured";
  std::string store_digest;  // of the runs and what they hold, 16 hex digits
  QuantileRules rules;
  std::vector<FleetLimit> limits;                  // with and without a limit (NodeQuantile::why_not)
  std::size_t of_several_nodes = 0, in_doubt = 0;  // points left out
  /// Left out, too: how often each point was measured while its GPU was still getting slower.
  std::map<std::string, std::size_t> still_moving = {};
  /// The share by which each limit of a template is worse than the median of its nodes.
  std::optional<double> below = {};

  /// Nothing where the point has none.
  std::optional<double> value_of(const FleetLimit& limit) const;
};

/// The limits of the headlines that are rates or times. A node's value is that of its worst unit, and a
/// unit's the median over its runs of the interval's end on the bad side: the limit passes whole intervals.
/// `filter` as in points_in_order; `machine`: a glob over FleetLimits::machine, needed where the store has
/// several. Throws std::runtime_error with one line: nothing measured, several machines, numbers of several
/// origins.
FleetLimits limits_of_fleet(const Store& store, const std::string& filter, const std::string& machine,
                            const QuantileRules& rules);

/// A row for each limit, and for each that lacks nodes.
Table to_table(const FleetLimits& fleet);

/// A file of loose, unsigned limits: the medians less `fleet.below`. At least one limit.
std::string limits_template(const FleetLimits& fleet);
/// The file, closed by the digest of its text; `date`: "2026-11-26". At least one limit.
std::string signed_limits(const FleetLimits& fleet, const std::string& signed_by, const std::string& date);

}  // namespace assay::results
