// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/flow_hash.hpp"

#include <string>

#include "harness/core/mix.hpp"

namespace assay::model::fabric {

namespace {

/// An IPv4 address in network order.
std::string address_bytes(std::uint32_t address) {
  std::string bytes;
  for (unsigned shift = 32; shift > 0; shift -= 8)
    bytes.push_back(static_cast<char>((address >> (shift - 8)) & 0xFFU));
  return bytes;
}

constexpr std::uint32_t first_address = 0x0A000000;

}  // namespace

FlowHash::FlowHash(const Topology& topology, FlowHashSettings settings)
    : settings_(settings), first_switch_(topology.hosts()) {
  for (NodeId host = 0; host < topology.hosts(); ++host) {
    of_source_.push_back(core::mix64((std::uint64_t{settings_.seed} << 32U) | host));
    of_destination_.push_back(core::mix64(odd * (std::uint64_t{host} + 1)) | 1U);
  }
  const bool is_linear =
      settings_.hash == path::SwitchHash::crc32 || settings_.hash == path::SwitchHash::xor_fold;
  if (is_linear) prepare_linear(topology.hosts());
  const auto of_nothing = [&](std::uint32_t seed) { return hash_of(tuple(0, 0, 0), settings_.hash, seed); };
  for (NodeId at = topology.hosts(); at < topology.nodes(); ++at) {
    const std::uint64_t seed =
        core::mix64((std::uint64_t{settings_.same_seed ? 0 : at} << 32U) | settings_.seed);
    const auto short_seed = static_cast<std::uint32_t>(seed);
    if (is_linear)
      of_switch_.push_back(of_nothing(short_seed) ^ of_nothing(0));
    else
      of_switch_.push_back(settings_.hash == path::SwitchHash::ideal ? seed | 1U : short_seed);
  }
}

path::FiveTuple FlowHash::tuple(std::uint32_t source, std::uint32_t destination, std::uint64_t packed) const {
  path::FiveTuple fields{address_bytes(source), address_bytes(destination),
                         static_cast<std::uint16_t>(packed & 0xFFFFU), std::nullopt};
  if (settings_.with_queue_pair) fields.destination_qpn = static_cast<std::uint32_t>(packed >> 16U);
  return fields;
}

std::uint32_t FlowHash::whole(const Flow& flow, std::uint32_t seed) const {
  return hash_of(tuple(first_address + flow.source, first_address + flow.destination, flow.fields),
                 settings_.hash, seed);
}

void FlowHash::prepare_linear(NodeId hosts) {
  const auto hash = [this](std::uint32_t source, std::uint32_t destination, std::uint64_t packed) {
    return hash_of(tuple(source, destination, packed), settings_.hash, 0);
  };
  const std::uint32_t nothing = hash(0, 0, 0);
  for (NodeId host = 0; host < hosts; ++host) {
    of_source_address_.push_back(hash(first_address + host, 0, 0));
    of_destination_address_.push_back(hash(0, first_address + host, 0) ^ nothing);
  }
  const unsigned bytes = settings_.with_queue_pair ? 5 : 2;
  for (unsigned at = 0; at < bytes; ++at)
    for (std::uint64_t byte = 0; byte < 256; ++byte)
      of_packed_[at][byte] = hash(0, 0, byte << (8 * at)) ^ nothing;
}

}  // namespace assay::model::fabric
