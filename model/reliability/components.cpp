// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The components of a node that can fail, and how often they do.
#include <algorithm>

#include "model/reliability/rates_file.hpp"

namespace assay::model::reliability {

const std::vector<std::string>& components() {
  static const std::vector<std::string> all{"chassis",
                                            "collective_watchdog",
                                            "cpu",
                                            "dependency",
                                            "gpu",
                                            "gpu_sram",
                                            "gpu_system_processor",
                                            "gpu_thermal",
                                            "hbm",
                                            "host",
                                            "io_board",
                                            "link",
                                            "maintenance",
                                            "memory",
                                            "nic",
                                            "node",
                                            "nvlink",
                                            "psu",
                                            "silent_corruption",
                                            "software",
                                            "ssd",
                                            "switch"};
  return all;
}

double Rates::usual_repairs_per_node_day() const {
  double usual = node.per_node_day;
  for (const FailureDomain& domain : domains)
    usual -= domain.rate.per_node_day / static_cast<double>(domain.nodes);
  for (const ComponentRate& component : components)
    if (component.repair_days) usual -= component.rate.per_node_day;
  return std::max(0.0, usual);
}

double Rates::per_node_day(const std::string& component) const {
  const auto found = std::ranges::find(components, component, &ComponentRate::component);
  return found == components.end() ? 0 : found->rate.per_node_day;
}

Rates rates_of_mean_time(double hours) {
  return {.name = "--mtbf",
          .source = {},
          .gpus_per_node = 1,
          .components = {},
          .node = {.per_node_day = 24 / hours}};
}

}  // namespace assay::model::reliability
