// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/forwarding_tables.hpp"

#include <numeric>

namespace assay::model::fabric {

ForwardingTables::ForwardingTables(const Topology& topology, const std::vector<std::uint32_t>& lids_of_hosts)
    : first_switch_(topology.hosts()), first_column_(topology.hosts() + std::size_t{1}) {
  std::partial_sum(lids_of_hosts.begin(), lids_of_hosts.end(), first_column_.begin() + 1);
  columns_ = first_column_.back();
  const std::size_t switches = topology.nodes() - topology.hosts();
  ports_.assign(switches * columns_, no_port);
  links_.assign(switches * ports, no_link);
}

std::string text_of(const Topology& topology, const ForwardingTables::Followed& followed) {
  const std::string name = topology.name_of(followed.at);
  switch (followed.end) {
    case ForwardingTables::End::delivered:
      return name + " delivers";
    case ForwardingTables::End::no_entry:
      return name + " has no entry";
    case ForwardingTables::End::no_cable:
      return name + " sends to a port without a cable";
    case ForwardingTables::End::wrong_host:
      return name + " sends to another host";
    case ForwardingTables::End::loop:
      return "a loop crosses " + name;
  }
  return name;
}

}  // namespace assay::model::fabric
