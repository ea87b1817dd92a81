// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/peer_trial.hpp"

namespace assay::offload {

PeerTrial::PeerTrial(const PeerWay& way)
    : way_(way),
      site_(way.runs_on()),
      timer_(site_.stream.get(), site_.device.sm_count),
      conditions_(site_, timer_),
      copy_(way, site_.stream.get()) {}

void PeerTrial::sampling_begins() {
  timer_.clear_totals();
  conditions_.begin();
}

std::vector<core::Fact> PeerTrial::facts() {
  std::vector<core::Fact> all = conditions_.facts();
  all.emplace_back("peer_pci_address", cuda::describe_device(way_.other()).pci_address);
  all.emplace_back("path", copy_.is_direct() ? "peer access" : "through the host's memory");
  return all;
}

}  // namespace assay::offload
