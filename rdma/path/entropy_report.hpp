// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How flows would spread over uplinks, before a packet is sent: their ports, models of a switch's hash, and
// the null distribution next to them. Everything here is simulated and says so.
#pragma once

#include <string>
#include <vector>

#include "harness/path/ideal_hash.hpp"
#include "rdma/path/flow_set.hpp"

namespace assay::rdma {

struct EntropyOptions {
  std::vector<RoceFlow> flows;
  std::vector<AddressPair> addresses;  // one pair at least; every flow runs between every pair
  std::vector<int> uplinks = {16};
  std::uint32_t hash_seed = 0;
  int rounds = path::entropy_rounds;
  std::uint64_t seed = path::entropy_seed;
  bool propose_labels = false;
  bool list_flows = true;
};

/// One hash over one number of uplinks.
struct EntropyRow {
  path::SwitchHash hash = path::SwitchHash::crc32;
  path::Spread spread;
  path::SpreadJudgement judgement;
};

std::vector<EntropyRow> entropy_rows(const EntropyOptions& options);

/// Flows with ports, one row for each hash and number of uplinks, and labels that would spread where asked.
/// Ends with a line feed. Throws a usage Error where there is no flow, address or uplink.
std::string entropy_report(const EntropyOptions& options);

/// The null distribution as a table: what ideal hashes give for the usual numbers of uplinks and flows.
std::string entropy_table(int rounds = path::entropy_rounds, std::uint64_t seed = path::entropy_seed);

}  // namespace assay::rdma
