// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The addresses that ranks send each other so that their queue pairs can meet; and faults planted into them
// on purpose.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rdma/traffic/wiring/wiring.hpp"

namespace assay::rdma {

struct LaneAddress {
  std::size_t flow = 0, index = 0;
  std::uint32_t number = 0, first_packet = 0;
  std::uint64_t address = 0;  // of its memory
};

/// All lanes of one rank.
struct LaneAddresses {
  ibv_gid gid{};
  std::uint16_t lid = 0;
  int mtu_bytes = 0;
  std::uint32_t key = 0;
  std::uint16_t cm_port = 0;            // where the rank's connection manager listens; 0: none
  std::vector<LaneAddress> lanes = {};  // by flow, then index

  /// Throws Error(team) where the rank has no such lane.
  const LaneAddress& of(std::size_t flow, std::size_t index) const;
};

std::string to_text(const LaneAddresses& addresses);
/// Throws Error(team) on a text of another form.
LaneAddresses lane_addresses_from(const std::string& text);

/// Spoils what the initiating end knows of its peer.
void plant(Fault fault, bool initiates, Lane& lane, QueuePairAddress& peer);

}  // namespace assay::rdma
