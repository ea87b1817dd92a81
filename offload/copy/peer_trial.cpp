// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/peer_trial.hpp"

#include "offload/copy/rates_apart.hpp"

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

std::vector<core::Metric> PeerTrial::metrics(const core::Measurement&) {
  std::vector<core::Metric> all = conditions_.metrics();
  if (way_.both)
    add_rates_apart(all, {"there_gb_per_s", "back_gb_per_s"}, way_.bytes,
                    [this] { return copy_.time_each(); });
  return all;
}

std::vector<core::Fact> PeerTrial::facts() {
  std::vector<core::Fact> all = conditions_.facts();
  all.emplace_back("peer_pci_address", cuda::describe_device(way_.other()).pci_address);
  all.emplace_back("path", copy_.is_direct() ? "peer access" : "through the host's memory");
  return all;
}

}  // namespace assay::offload
