// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/path/switch_hash.hpp"

#include <arpa/inet.h>

#include "harness/core/error.hpp"
#include "rdma/path/udp_port.hpp"

namespace assay::rdma {

namespace {

constexpr char udp_protocol = 17;

void append(std::string& bytes, std::uint16_t value) {
  bytes.push_back(static_cast<char>(value >> 8U));
  bytes.push_back(static_cast<char>(value & 0xFFU));
}

std::uint32_t crc32(std::string_view bytes, std::uint32_t seed) {
  constexpr std::uint32_t reflected_polynomial = 0xEDB88320;
  std::uint32_t crc = ~seed;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? reflected_polynomial : 0U);
  }
  return ~crc;
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  return (static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at])) << 8U) |
         static_cast<unsigned char>(bytes[at + 1]);
}

std::uint32_t xor_fold(std::string_view addresses, std::uint16_t source_port, std::uint32_t seed) {
  std::uint32_t folded = (seed >> 16U) ^ (seed & 0xFFFFU) ^ source_port ^ roce_destination_port ^
                         static_cast<std::uint32_t>(udp_protocol);
  for (std::size_t at = 0; at + 1 < addresses.size(); at += 2) folded ^= word_at(addresses, at);
  return folded;
}

}  // namespace

std::string address_bytes(const std::string& text) {
  std::string bytes(16, '\0');
  if (inet_pton(AF_INET, text.c_str(), bytes.data()) == 1) return bytes.substr(0, 4);
  if (inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) return bytes;
  core::usage_error("'" + text + "' is not an IPv4 or IPv6 address; write for example 10.0.0.1 or fd00::1");
}

std::uint32_t hash_of(const FiveTuple& flow, SwitchHash hash, std::uint32_t seed) {
  const std::string addresses = flow.source + flow.destination;
  if (hash == SwitchHash::xor_fold) return xor_fold(addresses, flow.source_port, seed);
  std::string bytes = addresses;
  bytes.push_back(udp_protocol);
  append(bytes, flow.source_port);
  append(bytes, roce_destination_port);
  return crc32(bytes, seed);
}

int uplink_of(const FiveTuple& flow, SwitchHash hash, std::uint32_t seed, int uplinks) {
  if (uplinks < 1) core::usage_error("a hash needs at least one uplink, got " + std::to_string(uplinks));
  return static_cast<int>(hash_of(flow, hash, seed) % static_cast<std::uint32_t>(uplinks));
}

std::vector<int> uplinks_of(const std::vector<FiveTuple>& flows, SwitchHash hash, std::uint32_t seed,
                            int uplinks) {
  std::vector<int> all;
  all.reserve(flows.size());
  for (const FiveTuple& flow : flows) all.push_back(uplink_of(flow, hash, seed, uplinks));
  return all;
}

std::string_view to_string(SwitchHash hash) { return hash == SwitchHash::crc32 ? "crc32" : "xor fold"; }

}  // namespace assay::rdma
