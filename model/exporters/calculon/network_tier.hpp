// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Measured collectives as one network tier of a Calculon system: latency once an operation, one efficiency,
// and a scalar for each operation. Time = latency + bytes x scalar x (1 + offset / n) / (bandwidth x
// efficiency).
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/exporters/exported.hpp"

namespace assay::model::calculon {

struct NetworkRequest {
  exporters::ExportRequest rows = {};  // its collectives, ranks, dtype and least_bytes
  std::size_t tier = 0;
  double headroom = 0;  // of a bandwidth taken from the rows: how often the fastest row's; 0: it was given
};

struct FittedNetwork {
  double latency_s = 0;
  std::vector<std::string> operations;  // that were measured; the first gives the efficiency
  exporters::FittedFormula
      fitted;  // latency_s, and for each operation its efficiency of the base's bandwidth
};

/// Replaces latency, efficiency and the scalars of what was measured; bandwidth stays, in 1e9 bytes/s of one
/// processor in one direction. Nothing without collectives. Throws a usage error for a tier that is not
/// there, for more ranks than it holds, and for a fit faster than its bandwidth: a given one is too small,
/// one with headroom was not determined by the times.
std::optional<FittedNetwork> replace_network(nlohmann::json& system, const std::string& base,
                                             const NetworkRequest& request);

}  // namespace assay::model::calculon
