// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Costs of messages over a port as measured: by the LogGP model of fits, or from the points of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/fabric/measured/rank_hosts.hpp"
#include "results/points/kinds/fabric_points.hpp"
#include "results/table/table.hpp"

namespace assay::model::fabric::measured {

/// L + 2 o in us of a message that crosses this many links; 0: it is not known how many.
struct OneWay {
  double us = 0;
  std::size_t links = 0;
};

/// Each where it was measured.
struct PortCoefficients {
  std::string source;  // "coefficients.json (measured)", "run r1 of store.sqlite (measured)"
  std::optional<results::Number> goodput_gb_per_s = {};
  std::vector<OneWay> one_way = {};
  std::optional<double> overhead_us = {}, gap_us = {};  // o, g
  std::optional<results::Number> node_gb_per_s = {};    // bus bandwidth of an all-reduce within a node
  std::vector<std::string> unused = {};  // what has no place in a simulation, or cannot be used, a line each
};

/// Coefficients of a file of `assay fit`: the write (else the operation) of the highest goodput of its LogGP
/// section, and the all-reduce of the most ranks within a node of its collectives. Throws a usage Error
/// naming file and key.
PortCoefficients file_coefficients(const std::string& file);

/// Coefficients of a run: goodput is the bandwidth of the largest messages (write before send) with its
/// interval, of the median flow where several ran at once; latency that of the smallest; the gap the time of
/// a message at the highest message rate. Lossy links take no part. `store` is named in `source`.
PortCoefficients run_coefficients(const results::RunPoints& run, const std::string& store,
                                  const RankHosts& hosts);

}  // namespace assay::model::fabric::measured
