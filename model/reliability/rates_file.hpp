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
};

struct Rates {
  std::string name, source;
  double nodes = 0;  // that were watched; 0: not stated
  int gpus_per_node = 8;
  std::vector<ComponentRate> components;
  FailureRate node = {};                     // of all components together
  std::optional<EarlyLife> early_life = {};  // its constant rate is `node`

  /// Of one component; nothing counted gives 0.
  double per_node_day(const std::string& component) const;
};

/// Of a job that fails once in so many hours (above 0) as a whole: one node of one GPU.
Rates rates_of_mean_time(double hours);

/// What `component` may be: "gpu", "hbm", ...
const std::vector<std::string>& components();

/// TOML: name, source, nodes, days, gpus_per_node, and [[component]] tables of a name and either `failures`
/// (with nodes and days of their own where they differ) or `per_1000_node_days`; [early_life] with the names
/// of EarlyLife. Throws a usage Error with file, line and key for anything else, a component that is not
/// known (the nearest is named) or is there twice, a number that is negative or no number, a table without
/// components, and more than 1,000 failures a node-day.
Rates read_rates(const std::string& file);
Rates parse_rates(const std::string& text, const std::string& file);

std::string rates_text(const Rates& rates);
nlohmann::ordered_json rates_json(const Rates& rates);

}  // namespace assay::model::reliability
