// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cables that differ between a plan and a site whose switches are matched, and the fewest moves that repair
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/fabric/wiring/match_nets.hpp"

namespace assay::model::fabric::wiring {

struct PlannedCable {
  std::optional<std::uint32_t> one;  // switch of the plan; none: a host
  std::uint32_t other = 0;           // likewise
  std::string label = {};            // of the host
};

struct SlowerCable {
  LinkId link = 0;           // up, of the site
  double planned_share = 1;  // its capacity, of the plan's
};

/// A step of the repair: `extra` of the site becomes `missing` of the plan. Both: `ends` of the cable are
/// plugged elsewhere, 1 or 2. Only missing: a new cable. Only extra: it is removed.
struct CableMove {
  std::optional<std::size_t> missing, extra;
  std::uint32_t ends = 1;
  std::optional<std::uint32_t> kept = {};  // switch of the site where an end stays; none: the host's end
};

struct WiringFaults {
  std::vector<PlannedCable> missing;
  std::vector<LinkId> extra;  // links up of the site
  std::vector<SlowerCable> slower;
  std::vector<CableMove> moves;

  bool any() const { return !missing.empty() || !extra.empty() || !slower.empty(); }
};

/// `compare_rates`: whether the site states rates.
WiringFaults wiring_faults(const Topology& plan, const WiredNet& plan_net, const Topology& site,
                           const WiredNet& site_net, const std::vector<std::uint32_t>& site_of,
                           bool compare_rates);

}  // namespace assay::model::fabric::wiring
