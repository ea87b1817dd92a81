// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/peer_trial.hpp"

#include "offload/copy/rates_apart.hpp"

namespace assay::offload {

PeerTrial::PeerTrial(const PeerWay& way, cuda::GatedSite& site)
    : way_(way), site_(site), copy_(way, site_.stream.get()) {}

std::vector<core::Metric> PeerTrial::metrics(const core::Measurement&) {
  std::vector<core::Metric> all;
  if (way_.both)
    add_rates_apart(all, {"there_gb_per_s", "back_gb_per_s"}, way_.bytes,
                    [this] { return copy_.time_each(); });
  return all;
}

std::vector<core::Fact> PeerTrial::facts() {
  return {{"peer_pci_address", cuda::describe_device(way_.other()).pci_address},
          {"path", copy_.is_direct() ? "peer access" : "through the host's memory"}};
}

}  // namespace assay::offload
