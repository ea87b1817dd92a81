// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/peer_trial.hpp"

#include "offload/copy/rates_apart.hpp"

namespace assay::offload {

PeerTrial::PeerTrial(const PeerWay& way)
    : way_(way), site_({way.runs_on()}), copy_(way, site_.stream.get()) {}

void PeerTrial::do_sampling_begins() { site_.sampling_begins(); }

std::vector<core::Metric> PeerTrial::do_metrics(const core::Measurement&) {
  std::vector<core::Metric> all = site_.metrics();
  if (way_.both)
    add_rates_apart(all, {"there_gb_per_s", "back_gb_per_s"}, way_.bytes,
                    [this] { return copy_.time_each(); });
  return all;
}

std::vector<core::Fact> PeerTrial::do_facts() {
  std::vector<core::Fact> all = site_.facts();
  all.emplace_back("peer_pci_address", cuda::describe_device(way_.other()).pci_address);
  all.emplace_back("path", copy_.is_direct() ? "peer access" : "through the host's memory");
  return all;
}

}  // namespace assay::offload
