// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Adapters whose cables or names are crossed: where each rail has a subnet of its own, the address of such an
// adapter is in another rail's.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace assay::rdma {

struct RailAddress {
  std::string host;
  int rail = -1;                     // -1: unknown, and left out
  std::array<std::uint8_t, 16> gid;  // in network order
};

/// "h1: rail 0 has an address of rail 1; h1: ..."; empty where none has. A subnet is the upper half of a GID,
/// and 24 bits of an IPv4 address. A rail's is that of most of its ranks, of equally many the one of the
/// first rank.
std::string crossed_rails(std::span<const RailAddress> ranks);

}  // namespace assay::rdma
