// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The flows that are meant: pairs of QP numbers, flow labels or ports, as a user writes them and as
// five-tuples.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/path/switch_hash.hpp"

namespace assay::rdma {

struct QpPair {
  std::uint32_t local = 0, remote = 0;
  friend bool operator==(const QpPair&, const QpPair&) = default;
};

enum class PortRule {
  flow_label,  // of the label, or folded from both QP numbers where that is 0: RC and UC
  rxe_ud       // rxe's hash of the local QP number: its UD QPs
};

/// One flow: whence its UDP source port comes, and the port.
struct RoceFlow {
  QpPair qps;
  std::uint32_t flow_label = 0;
  std::uint16_t source_port = 0;
};

/// "0x11a:0x2c4,0x11b:0x2c5", or a run with its step and count, "0x11a:0x2c4+1*16" (both numbers move).
/// Decimal or 0x. Throws a usage Error naming the item; QP numbers have 24 bits and are not 0, at most 2^20
/// flows.
std::vector<QpPair> parse_qp_pairs(const std::string& text);

/// "1,7,0xabc" or "1+1*16", numbers of at most `most`; `what` names them in errors.
std::vector<std::uint32_t> parse_numbers(const std::string& text, std::uint32_t most,
                                         const std::string& what);

/// A flow for each pair. Labels, where given, are dealt to the pairs in turn; else all have label 0.
std::vector<RoceFlow> flows_of_qps(const std::vector<QpPair>& pairs, const std::vector<std::uint32_t>& labels,
                                   PortRule rule);
std::vector<RoceFlow> flows_of_labels(const std::vector<std::uint32_t>& labels);
/// Ports as a driver reported them.
std::vector<RoceFlow> flows_of_ports(const std::vector<std::uint32_t>& ports);

struct AddressPair {
  std::string source, destination;  // as bytes, see address_bytes
};

/// Every flow between every pair of addresses.
std::vector<path::FiveTuple> five_tuples(const std::vector<RoceFlow>& flows,
                                         const std::vector<AddressPair>& addresses);

/// How many different UDP source ports the flows have.
int distinct_ports(const std::vector<RoceFlow>& flows);

/// Flow labels that spread a few flows evenly, under one model of the switch's hash.
/// The lowest labels, counted from 1, that put `flows` flows as evenly as possible on the uplinks: no uplink
/// gets a flow beyond ceil(flows / uplinks). Shorter than asked where 20 bits of labels do not suffice.
std::vector<std::uint32_t> labels_that_spread(int flows, int uplinks, const AddressPair& addresses,
                                              path::SwitchHash hash, std::uint32_t seed);

}  // namespace assay::rdma
