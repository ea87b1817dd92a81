// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The PCIe link of a GPU as it is trained at this moment, and what it could carry.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/benchmark.hpp"

namespace assay::offload {

struct HostLink {
  int generation = 0, width = 0;  // lanes

  /// GB/s (10^9) a direction that the lanes carry before packets: transfers a second times lanes, less the
  /// line code, which is 8 of 10 bits up to generation 2 and 128 of 130 from 3 (PCI Express Base
  /// Specification; generation 6 sends flits, of which 236 of 256 bytes are packets). Nothing for a
  /// generation not known.
  std::optional<double> ceiling_gb_per_s() const;
};

/// As NVML reports it now: read it while copies run, since an idle link may rest at a lower speed. Nothing
/// where NVML does not report it.
std::optional<HostLink> trained_link(const std::string& pci_address);

/// Generation, width and ceiling for a record; empty where they are not known.
std::vector<core::Fact> link_facts(const std::optional<HostLink>& link);

}  // namespace assay::offload
