// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/path/switch_hash.hpp"

#include <arpa/inet.h>

#include <array>

#include "harness/core/error.hpp"
#include "harness/core/mix.hpp"
#include "harness/path/udp_port.hpp"

namespace assay::path {

namespace {

constexpr char udp_protocol = 17;

void append(std::string& bytes, std::uint16_t value) {
  bytes.push_back(static_cast<char>(value >> 8U));
  bytes.push_back(static_cast<char>(value & 0xFFU));
}

constexpr std::array<std::uint32_t, 256> crc32_table() {
  constexpr std::uint32_t reflected_polynomial = 0xEDB88320;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    table[byte] = byte;
    for (int bit = 0; bit < 8; ++bit)
      table[byte] = (table[byte] >> 1U) ^ ((table[byte] & 1U) != 0 ? reflected_polynomial : 0U);
  }
  return table;
}

std::uint32_t crc32(std::string_view bytes, std::uint32_t seed) {
  static constexpr auto table = crc32_table();
  std::uint32_t crc = ~seed;
  for (const char byte : bytes) crc = (crc >> 8U) ^ table[(crc ^ static_cast<unsigned char>(byte)) & 0xFFU];
  return ~crc;
}

constexpr std::array<std::uint32_t, 10> verification_key = {0x6D5A56DA, 0x255B0EC2, 0x4167253D, 0x43A38FB0,
                                                            0xD0CA2BCB, 0xAE7B30B4, 0x77CB2DA3, 0x8030F20C,
                                                            0x6A42B73B, 0xBEAC01FA};

std::uint32_t key_word(std::size_t at, std::uint32_t seed) {
  const std::size_t place = at % verification_key.size();
  const std::uint64_t change = seed == 0 ? 0 : core::mix64((std::uint64_t{seed} << 32U) | place);
  return verification_key[place] ^ static_cast<std::uint32_t>(change);
}

/// The exclusive or of the key's 32 bits from each set bit of the input on; the key repeats.
std::uint32_t toeplitz(std::string_view bytes, std::uint32_t seed) {
  std::uint32_t hash = 0, window = key_word(0, seed), next = key_word(1, seed);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    if (bit != 0 && bit % 32 == 0) next = key_word(bit / 32 + 1, seed);
    const unsigned byte = static_cast<unsigned char>(bytes[bit / 8]);
    if (((byte >> (7U - bit % 8)) & 1U) != 0) hash ^= window;
    window = (window << 1U) | (next >> 31U);
    next <<= 1U;
  }
  return hash;
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  return (static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at])) << 8U) |
         static_cast<unsigned char>(bytes[at + 1]);
}

std::uint32_t xor_fold(const FiveTuple& flow, std::uint32_t seed) {
  std::uint32_t folded = (seed >> 16U) ^ (seed & 0xFFFFU) ^ flow.source_port ^ roce_destination_port ^
                         static_cast<std::uint32_t>(udp_protocol);
  for (const std::string_view address : {std::string_view(flow.source), std::string_view(flow.destination)})
    for (std::size_t at = 0; at + 1 < address.size(); at += 2) folded ^= word_at(address, at);
  const std::uint32_t qpn = flow.destination_qpn.value_or(0);
  return folded ^ (qpn >> 16U) ^ (qpn & 0xFFFFU);
}

std::uint32_t ideal(const FiveTuple& flow, std::uint32_t seed) {
  std::uint64_t hash = core::mix64((std::uint64_t{seed} << 16U) | flow.source_port);
  for (const std::string_view address : {std::string_view(flow.source), std::string_view(flow.destination)})
    for (std::size_t at = 0; at + 1 < address.size(); at += 2)
      hash = core::mix64(hash ^ word_at(address, at));
  if (flow.destination_qpn) hash = core::mix64(hash ^ *flow.destination_qpn);
  return static_cast<std::uint32_t>(hash >> 32U);
}

/// Addresses and ports, the protocol where asked for, the QP number where there is one.
std::string bytes_of(const FiveTuple& flow, bool with_protocol) {
  std::string bytes = flow.source + flow.destination;
  append(bytes, flow.source_port);
  append(bytes, roce_destination_port);
  if (with_protocol) bytes.push_back(udp_protocol);
  if (!flow.destination_qpn) return bytes;
  bytes.push_back(static_cast<char>((*flow.destination_qpn >> 16U) & 0xFFU));
  append(bytes, static_cast<std::uint16_t>(*flow.destination_qpn & 0xFFFFU));
  return bytes;
}

/// Empty of other text.
std::string bytes_or_none(const std::string& text) {
  std::string bytes(16, '\0');
  if (inet_pton(AF_INET, text.c_str(), bytes.data()) == 1) return bytes.substr(0, 4);
  return inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1 ? bytes : "";
}

}  // namespace

bool is_address(const std::string& text) { return !bytes_or_none(text).empty(); }

std::string address_bytes(const std::string& text) {
  if (std::string bytes = bytes_or_none(text); !bytes.empty()) return bytes;
  core::usage_error("'" + text + "' is not an IPv4 or IPv6 address; write for example 10.0.0.1 or fd00::1");
}

std::uint32_t hash_of(const FiveTuple& flow, SwitchHash hash, std::uint32_t seed) {
  switch (hash) {
    case SwitchHash::ideal:
      return ideal(flow, seed);
    case SwitchHash::crc32:
      return crc32(bytes_of(flow, true), seed);
    case SwitchHash::toeplitz:
      return toeplitz(bytes_of(flow, false), seed);
    case SwitchHash::xor_fold:
      break;
  }
  return xor_fold(flow, seed);
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

std::string_view to_string(SwitchHash hash) {
  constexpr std::array<std::string_view, 4> names = {"ideal", "crc32", "toeplitz", "xor fold"};
  return names[static_cast<std::size_t>(hash)];
}

}  // namespace assay::path
