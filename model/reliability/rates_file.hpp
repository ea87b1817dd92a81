// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table of failures by component, as a user or a publication gives it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/reliability/early_life.hpp"
#include "model/reliability/failure_rate.hpp"

namespace assay::model::reliability {

struct ComponentRate {
  std::string component;
  FailureRate rate;
  std::optional<double> repair_days = {};  // 0: no node is gone; none: as a node's
};

/// Nodes that one failure takes away together: a rack by its power, the nodes of a rail by its switch.
struct FailureDomain {
  std::string name;
  std::int64_t nodes = 1;
  FailureRate rate = {};                   // of one domain, a day
  std::optional<double> repair_days = {};  // none: as a node's
};

struct Rates {
  std::string name, source;
  double nodes = 0;  // that were watched; 0: not stated
  int gpus_per_node = 8;
  std::vector<ComponentRate> components;
  std::vector<FailureDomain> domains = {};
  FailureRate node = {};                     // of all components together, and of domains by the node
  std::optional<EarlyLife> early_life = {};  // its constant rate is `node` unless the file says
  std::string early_life_source = {};        // "": not stated

  /// Failures a node-day of the components whose repair time the table does not state, without domains.
  double usual_repairs_per_node_day() const;
  /// Failures of one component a node-day; nothing counted gives 0.
  double per_node_day(const std::string& component) const;
};

/// The rates of a job that fails once in `hours` (above 0) as a whole: one node of one GPU.
Rates rates_of_mean_time(double hours);

/// The names that `component` may have: "gpu", "hbm", ...
const std::vector<std::string>& components();

/// TOML: name, source, nodes, days, gpus_per_node, and [[component]] tables of a name and either `failures`
/// (with nodes and days of their own where they differ) or `per_1000_node_days`, and repair_days;
/// [early_life] with the names of EarlyLife; [[domain]] tables of a name, the nodes that fail together, and
/// `failures` of all `units` of them (with days of their own where they differ) or `per_1000_unit_days`, and
/// repair_days. Throws a usage Error with file, line and key for anything else, a component that is not known
/// (the nearest is named), a component or domain that is there twice, a number that is negative or no number,
/// a table without components, and more than 1,000 failures a node-day.
Rates read_rates(const std::string& file);
Rates parse_rates(const std::string& text, const std::string& file);

std::string rates_text(const Rates& rates);
nlohmann::ordered_json rates_json(const Rates& rates);

}  // namespace assay::model::reliability
