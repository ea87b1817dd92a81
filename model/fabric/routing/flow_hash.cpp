// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing/flow_hash.hpp"

#include <utility>

#include "harness/core/mix.hpp"
#include "model/fabric/refuse.hpp"

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

void check(const HostAddresses& addresses, NodeId hosts) {
  if (addresses.size() < hosts)
    refuse(std::to_string(addresses.size()) + " addresses for " + std::to_string(hosts) + " hosts");
  for (const std::string& one : addresses)
    if (one.size() != addresses.front().size()) refuse("addresses of hosts must be all IPv4 or all IPv6");
}

}  // namespace

FlowHash::FlowHash(const Topology& topology, FlowHashSettings settings)
    : settings_(std::move(settings)), first_switch_(topology.hosts()) {
  if (settings_.addresses) check(*settings_.addresses, topology.hosts());
  for (NodeId host = 0; host < topology.hosts(); ++host) {
    of_source_.push_back(core::mix64((std::uint64_t{settings_.seed} << 32U) | host));
    of_destination_.push_back(core::mix64(odd * (std::uint64_t{host} + 1)) | 1U);
  }
  const bool is_linear =
      settings_.hash == path::SwitchHash::crc32 || settings_.hash == path::SwitchHash::xor_fold;
  if (is_linear) prepare_linear(topology.hosts());
  const std::string zero(address(0).size(), '\0');
  const auto of_nothing = [&](std::uint32_t seed) {
    return hash_of(tuple(zero, zero, 0), settings_.hash, seed);
  };
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

std::string FlowHash::address(NodeId host) const {
  return settings_.addresses ? (*settings_.addresses)[host] : address_bytes(first_address + host);
}

path::FiveTuple FlowHash::tuple(std::string source, std::string destination, std::uint64_t packed) const {
  path::FiveTuple fields{std::move(source), std::move(destination),
                         static_cast<std::uint16_t>(packed & 0xFFFFU), std::nullopt};
  if (settings_.with_queue_pair) fields.destination_qpn = static_cast<std::uint32_t>(packed >> 16U);
  return fields;
}

std::uint32_t FlowHash::whole(const Flow& flow, std::uint32_t seed) const {
  return hash_of(tuple(address(flow.source), address(flow.destination), flow.fields), settings_.hash, seed);
}

void FlowHash::prepare_linear(NodeId hosts) {
  const auto hash = [this](const std::string& source, const std::string& destination, std::uint64_t packed) {
    return hash_of(tuple(source, destination, packed), settings_.hash, 0);
  };
  const std::string zero(address(0).size(), '\0');
  const std::uint32_t nothing = hash(zero, zero, 0);
  for (NodeId host = 0; host < hosts; ++host) {
    of_source_address_.push_back(hash(address(host), zero, 0));
    of_destination_address_.push_back(hash(zero, address(host), 0) ^ nothing);
  }
  const unsigned bytes = settings_.with_queue_pair ? 5 : 2;
  for (unsigned at = 0; at < bytes; ++at)
    for (std::uint64_t byte = 0; byte < 256; ++byte)
      of_packed_[at][byte] = hash(zero, zero, byte << (8 * at)) ^ nothing;
}

}  // namespace assay::model::fabric
