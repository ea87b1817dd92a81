// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/path/label_search.hpp"

#include "harness/core/error.hpp"
#include "rdma/path/udp_port.hpp"

namespace assay::rdma {

std::vector<std::uint32_t> labels_that_spread(int flows, int uplinks, const AddressPair& addresses,
                                              SwitchHash hash, std::uint32_t seed) {
  if (flows < 1 || uplinks < 1) core::usage_error("labels are searched for 1 flow and 1 uplink at least");
  const int most = (flows + uplinks - 1) / uplinks;
  std::vector<int> used(static_cast<std::size_t>(uplinks), 0);
  std::vector<std::uint32_t> labels;
  for (std::uint32_t label = 1; label <= flow_label_mask && labels.size() < static_cast<std::size_t>(flows);
       ++label) {
    const FiveTuple flow = {addresses.source, addresses.destination, udp_source_port(label)};
    int& on_uplink = used[static_cast<std::size_t>(uplink_of(flow, hash, seed, uplinks))];
    if (on_uplink == most) continue;
    ++on_uplink;
    labels.push_back(label);
  }
  return labels;
}

}  // namespace assay::rdma
