// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Models of how a switch may choose an uplink from a packet's five-tuple. No switch is claimed to be one of
// them: what they give is simulated, and is printed next to the ideal hash.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::path {

/// UDP to RoCE's port 4791, as a switch sees it. Enhanced ECMP reads the base transport header too, whose
/// destination QP number (24 bits) then follows the tuple.
struct FiveTuple {
  std::string source, destination;  // addresses in network order, 4 bytes each or 16 bytes each
  std::uint16_t source_port = 0;
  std::optional<std::uint32_t> destination_qpn = std::nullopt;
};

enum class SwitchHash { ideal, crc32, toeplitz, xor_fold };

/// "10.0.0.1" or "fd00::1" as bytes in network order. Throws a usage Error on anything else.
std::string address_bytes(const std::string& text);
bool is_address(const std::string& text);

/// A switch's hash of the fields in network order: addresses, ports, protocol, QP number.
/// ideal: every field mixed by `mix64`, from `seed` on.
/// crc32: the polynomial of Ethernet's FCS, reflected, started from `seed`. Two seeds differ by a constant
/// exclusive or: with a power of two of uplinks, they group flows alike.
/// toeplitz: the hash of receive-side scaling over addresses and ports, without the protocol, with
/// Microsoft's verification key (Windows Driver Kit, "Verifying the RSS Hash Calculation"); a seed other than
/// 0 changes the key.
/// xor_fold: the exclusive or of the 16-bit words and the seed's, which is weak on purpose: equal differences
/// cancel.
std::uint32_t hash_of(const FiveTuple& flow, SwitchHash hash, std::uint32_t seed);

/// hash_of modulo the number of uplinks, which is at least 1.
int uplink_of(const FiveTuple& flow, SwitchHash hash, std::uint32_t seed, int uplinks);
std::vector<int> uplinks_of(const std::vector<FiveTuple>& flows, SwitchHash hash, std::uint32_t seed,
                            int uplinks);

std::string_view to_string(SwitchHash hash);

}  // namespace assay::path
