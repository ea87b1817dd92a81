// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A fabric with its tables, and what they do: what text and JSON of an answer are made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/front/answers/routes/routes_answer.hpp"
#include "model/fabric/file/fabric_file.hpp"
#include "model/fabric/routes/judge_routes.hpp"
#include "model/fabric/routes/lane_cycle.hpp"
#include "model/fabric/routes/lost_cables.hpp"

namespace assay::answers {

struct JudgedRoutes {
  const RoutesQuestion& question;
  model::fabric::FabricFile file;
  model::fabric::Topology topology;
  model::fabric::routes::RouteJudgement judged;
  std::vector<model::fabric::routes::LostCable> lost;  // worst first
  std::optional<model::fabric::routes::LaneCycle> lanes = {};
  bool has_lane_maps = false;
  std::vector<std::string> faults = {};

  std::optional<bool> holds() const;
  std::string verdict() const;
  /// The shift, from 1, with most paths on a link.
  std::size_t worst_by() const;
  /// Links of the circle of buffers, those of lanes as "leaf0>spine1 VL 2".
  std::vector<std::string> cycle_names() const;
  /// The cable whose loss cuts most pairs until the subnet manager sweeps.
  const model::fabric::routes::LostCable* cuts_most() const;
};

/// The value of a share of the sorted ones.
std::uint64_t quantile_of(const std::vector<std::uint64_t>& sorted, double share);

std::string routes_text(const JudgedRoutes& routes);
std::string routes_json(const JudgedRoutes& routes);
/// CSV of the asked patterns. Throws a usage Error for a pattern that there is not.
std::string route_loads(const JudgedRoutes& routes);

}  // namespace assay::answers
