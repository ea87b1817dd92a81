// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Loads of links and times of hosts, added up over steps.
#pragma once

#include "model/fabric/simulate/simulation.hpp"

namespace assay::model::fabric {

class LoadSum {
 public:
  /// Into `result`, which must outlive it.
  LoadSum(const FabricModel& model, Simulation& result) : result_(&result) {
    result.bytes_of_links.assign(model.links(), 0);
    result.hosts.assign(model.topology().hosts(), {});
  }

  void add(const StepDetail& detail, double repeats) {
    for (std::size_t link = 0; link < detail.bytes_of_links.size(); ++link)
      result_->bytes_of_links[link] += repeats * detail.bytes_of_links[link];
    if (detail.hosts.empty()) result_->hosts.clear();  // not known of this step, hence not of all
    for (std::size_t host = 0; host < result_->hosts.size(); ++host) {
      HostTime& sum = result_->hosts[host];
      if (detail.hosts[host].time_us > 0) sum.link = detail.hosts[host].link;
      sum.time_us += repeats * detail.hosts[host].time_us;
    }
  }

 private:
  Simulation* result_;
};

}  // namespace assay::model::fabric
