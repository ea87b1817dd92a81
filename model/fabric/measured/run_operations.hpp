// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Collectives and patterns of messages that a run measured, as operations that can be simulated.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/fabric/file/workload_file.hpp"
#include "model/fabric/measured/rank_hosts.hpp"

namespace assay::model::fabric::measured {

struct MeasuredOperation {
  std::string case_name, point;  // "collectives.assay.all_reduce", "algorithm=ring,bytes=8192"
  std::size_t ranks = 0;
  std::uint64_t bytes = 0;
  results::Number measured_us = {};  // of an iteration, with its interval
  Operation operation = {};          // its groups are hosts of the fabric
  double iterations = 1;             // that the operation simulates at once
  int queue_pairs = 0;               // of a message; 0: the fabric's
  double messages = 0;               // of the busiest sender in an iteration of a stream; 0: no stream
};

struct RunOperations {
  std::vector<MeasuredOperation> operations;
  std::map<std::string, std::size_t> left_out;  // points, by reason
};

/// Collectives whose algorithm the simulator knows, and rdma patterns whose flows the record lists; of these,
/// a long stream is simulated, of which an iteration is one message of every flow, and pairs that ran in
/// several rounds are put into rounds in which no host has two peers. Throws as RankHosts.
RunOperations run_operations(const results::RunPoints& run, const RankHosts& hosts,
                             std::uint32_t gpus_per_server);

/// The collectives of it.
void add_collectives(const results::RunPoints& run, const RankHosts& hosts, std::uint32_t gpus_per_server,
                     RunOperations& found);
/// The patterns of messages.
void add_patterns(const results::RunPoints& run, const RankHosts& hosts, RunOperations& found);

}  // namespace assay::model::fabric::measured
