// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Measured pairs of a CSV file. A row is a flow:
//   from, to                        hosts, by name or number
//   gb_per_s | bytes, time_us       its rate; or its bytes and time
//   error_gb_per_s                  standard error of the rate (with gb_per_s)
//   round                           rows of one round ran at once
//   measurement                     rows of one measurement are flows of a step, whose slowest decides
//   source_port, destination_qpn    of each queue pair, separated by ';'
//   source_qpn                      instead of source_port: the port follows by Linux's rule
//   from_address, to_address        of the hosts' adapters, as switches read them
//   queue_pairs                     how many, up to 256, where neither ports nor numbers are known
//   via                             switches of the path, separated by ';', where a trace has shown it
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/fabric/locate/measurement.hpp"
#include "model/fabric/locate/node_names.hpp"
#include "model/fit/rows/csv_table.hpp"

namespace assay::model::fabric::locate {

struct MeasuredPairs {
  std::vector<Measurement> measurements;
  std::string origin;                            // measured, imported, simulated or predicted
  Concurrency concurrency = Concurrency::alone;  // together where the file has rounds
  std::size_t known_paths = 0;                   // flows whose ports or paths are known
  std::size_t flows = 0;
  /// Addresses of hosts, as text; empty for a host that had several.
  std::map<NodeId, std::string> addresses = {};

  /// Returns false where the host has had another address. Ignores an empty one.
  bool see_address(NodeId host, const std::string& address);
};

/// Throws a usage Error with file, line and column for what it cannot use.
MeasuredPairs read_pairs(const fit::CsvSource& source, const Topology& topology, const NodeNames& names);

}  // namespace assay::model::fabric::locate
