// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From measured coefficients to keys of a fabric file, so that every question about the fabric uses them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/fabric/file/fabric_file.hpp"
#include "model/fabric/measured/port_coefficients.hpp"

namespace assay::model::fabric::measured {

/// `tier`: the topmost switches that the measured messages crossed, "spine"; empty: of all cables.
struct TierCoefficients {
  std::string tier;
  PortCoefficients ports;
};

/// "spine=coefficients.json" or "coefficients.json". Throws a usage Error for a tier that the fabric lacks,
/// and as file_coefficients.
TierCoefficients tier_coefficients(const std::string& text, const Topology& topology);

enum class OtherLineRate { refused, taken };

/// Keys that replace those of the fabric file (replace_keys): [[measured]] with goodput and latency of a hop,
/// host.overhead_us, host.message_gap_us and host.nvlink_gb_per_s. Latencies less two overheads are split
/// over the links that their messages crossed by least squares through zero; where it is not known how many,
/// they are not used. A tier's hops are what the lower tiers leave, evenly. What is not used is a
/// [[measured]] with nothing but its reason.
std::vector<KeyValue> calibration_keys(std::span<const TierCoefficients> coefficients,
                                       const FabricFile& fabric, const Topology& topology,
                                       OtherLineRate other);

}  // namespace assay::model::fabric::measured
