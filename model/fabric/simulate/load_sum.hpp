// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Loads of links and times of hosts, added up over steps.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "model/fabric/simulate/simulation.hpp"

namespace assay::model::fabric {

class LoadSum {
 public:
  LoadSum(const FabricModel& model, bool with_hosts)
      : with_hosts_(with_hosts),
        bytes_of_links_(model.links()),
        hosts_(with_hosts ? model.topology().hosts() : 0) {}

  /// For a step to fill, and to be added.
  StepDetail detail() const { return {.with_hosts = with_hosts_}; }

  void add(const StepDetail& detail, double repeats) {
    for (std::size_t link = 0; link < detail.bytes_of_links.size(); ++link)
      bytes_of_links_[link] += repeats * detail.bytes_of_links[link];
    paused_links_.insert(detail.paused_links.begin(), detail.paused_links.end());
    settling_ += detail.settling;
    if (detail.hosts.empty()) hosts_.clear();  // not known of this step, hence not of all
    for (std::size_t host = 0; host < hosts_.size(); ++host) {
      HostTime& sum = hosts_[host];
      if (detail.hosts[host].time_us > 0) sum.link = detail.hosts[host].link;
      sum.time_us += repeats * detail.hosts[host].time_us;
    }
  }

  const std::vector<double>& bytes_of_links() const { return bytes_of_links_; }
  void put_into(Simulation& result) {
    result.bytes_of_links = std::move(bytes_of_links_);
    result.hosts = std::move(hosts_);
    result.paused_links.assign(paused_links_.begin(), paused_links_.end());
    result.settling = settling_;
  }

 private:
  bool with_hosts_;
  std::vector<double> bytes_of_links_;
  std::vector<HostTime> hosts_;
  std::set<LinkId> paused_links_;
  Settling settling_;
};

}  // namespace assay::model::fabric
