// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The link between a GPU and the host's memory as it is trained at this moment, and what it could carry:
// PCIe, or NVLink-C2C on a superchip (GH200, GB200), whose PCIe link may have one lane and carry none of the
// data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/machine/nvml/nvml.hpp"

namespace assay::offload {

struct HostLink {
  int generation = 0, width = 0;  // of PCIe: lanes
  int c2c_links = 0;              // where there are any, they take the data
  double c2c_gb_per_s = 0;        // of all that are active, one way

  /// GB/s (10^9) a direction. C2C: as NVML reports it. PCIe: what the lanes carry before packets: transfers a
  /// second times lanes, less the line code, which is 8 of 10 bits up to generation 2 and 128 of 130 from 3
  /// (PCI Express Base Specification; generation 6 sends flits, of which 236 of 256 bytes are packets).
  /// Nothing for a generation or speed not known.
  std::optional<double> ceiling_gb_per_s() const;
};

/// As NVML reports it now: read it while copies run, since an idle link may rest at a lower speed. Nothing
/// where NVML does not report it.
std::optional<HostLink> trained_link(const std::string& pci_address);
std::optional<HostLink> trained_link(const machine::NvmlDevice& device);

/// Percent of the ceiling. Nothing where that is not known, or where the rate is so far above it that the
/// data took another way.
std::optional<double> percent_of_link(const std::optional<HostLink>& link, double gb_per_s);

/// Kind of the link, and its ceiling for a record of this rate one way (0: it has none), or why there is
/// none; empty where no link is known.
std::vector<core::Fact> link_facts(const std::optional<HostLink>& link, double gb_per_s = 0);

}  // namespace assay::offload
