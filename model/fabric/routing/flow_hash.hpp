// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A flow's queue pairs, and what each switch makes of its fields. What depends on one host or one switch only
// is computed once: an all-to-all of 24,576 GPUs hashes 604 million flows.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/path/switch_hash.hpp"
#include "harness/path/udp_port.hpp"
#include "model/fabric/topology.hpp"

namespace assay::model::fabric {

/// The address of each host, in network order: 4 bytes of all, or 16 of all.
using HostAddresses = std::vector<std::string>;

struct FlowHashSettings {
  path::SwitchHash hash = path::SwitchHash::ideal;
  bool with_queue_pair = false;  // the destination QP number is one of the fields
  std::uint32_t seed = 1;
  bool same_seed = false;  // of all switches
  /// Null: 10.0.0.0 and on. The ideal hash reads none.
  std::shared_ptr<const HostAddresses> addresses = nullptr;
};

/// Fields of a queue pair that switches read besides the addresses.
struct QueuePairPorts {
  std::uint16_t source_port = 0;
  std::uint32_t destination_qpn = 0;  // 24 bits; read under e_ecmp only
  friend bool operator==(const QueuePairPorts&, const QueuePairPorts&) = default;
};

class FlowHash {
 public:
  /// `topology` gives numbers only, and need not outlive it. Throws a usage Error for addresses of fewer
  /// hosts, or of both lengths.
  FlowHash(const Topology& topology, FlowHashSettings settings);

  struct Flow {
    NodeId source = 0, destination = 0;
    /// All fields but the switch's seed: mixed, or their hash (CRC-32, XOR), or packed port and QP number.
    std::uint64_t fields = 0;
  };

  /// All flows of one source.
  class FromSource {
   public:
    FromSource(const FlowHash& hash, NodeId source)
        : hash_(hash),
          of_destination_(hash.of_destination_.data()),
          own_(hash.of_source_[source]),
          source_(source),
          kind_(hash.settings_.hash),
          qpn_mask_(hash.settings_.with_queue_pair ? path::qp_number_mask : 0) {}

    /// `part` numbers the flows between two hosts: each has a queue pair of its own, whose numbers at both
    /// ends are drawn by the seed.
    QueuePairPorts ports(NodeId destination, std::uint64_t part) const {
      const std::uint64_t numbers = folded_product(own_ ^ (part * odd), of_destination_[destination]);
      const auto local = static_cast<std::uint32_t>(numbers);
      const auto remote = static_cast<std::uint32_t>(numbers >> 32U) & path::qp_number_mask;
      return {path::udp_source_port(path::flow_label_of_qps(local, remote)), remote};
    }

    /// The fields of a flow.
    std::uint64_t fields(NodeId destination, QueuePairPorts ports) const {
      const std::uint64_t packed =
          ports.source_port | (std::uint64_t{ports.destination_qpn & qpn_mask_} << 16U);
      if (kind_ == path::SwitchHash::ideal)
        return folded_product(std::rotl(own_, 32) + packed, of_destination_[destination]);
      return kind_ == path::SwitchHash::toeplitz ? packed : hash_.linear(source_, destination, packed);
    }

   private:
    const FlowHash& hash_;
    const std::uint64_t* of_destination_;
    std::uint64_t own_;
    NodeId source_;
    path::SwitchHash kind_;
    std::uint32_t qpn_mask_;
  };

  /// Calls `use` with a function of flow and switch: what the switch makes of it.
  template <class Use>
  void visit(const Use& use) const {
    const std::uint64_t* const own = of_switch_.data();
    const NodeId first = first_switch_;
    if (settings_.hash == path::SwitchHash::ideal)
      return use([=](const Flow& flow, NodeId at) {
        return static_cast<std::uint32_t>((flow.fields * own[at - first]) >> 32U);
      });
    if (settings_.hash == path::SwitchHash::toeplitz)
      return use([=, this](const Flow& flow, NodeId at) {
        return whole(flow, static_cast<std::uint32_t>(own[at - first]));
      });
    use([=](const Flow& flow, NodeId at) {
      return static_cast<std::uint32_t>(flow.fields ^ own[at - first]);
    });
  }
  std::uint32_t at(const Flow& flow, NodeId node) const {
    std::uint32_t result = 0;
    visit([&](const auto& hash_at) { result = hash_at(flow, node); });
    return result;
  }

 private:
  static constexpr std::uint64_t odd = 0xD6E8FEB86659FD93;

  /// Both halves of the product of two mixed numbers.
  static std::uint64_t folded_product(std::uint64_t one, std::uint64_t other) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{one} * other;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
  }

  std::string address(NodeId host) const;
  path::FiveTuple tuple(std::string source, std::string destination, std::uint64_t packed) const;
  std::uint32_t whole(const Flow& flow, std::uint32_t seed) const;
  std::uint32_t linear(NodeId source, NodeId destination, std::uint64_t packed) const {
    std::uint32_t hash = of_source_address_[source] ^ of_destination_address_[destination];
    for (const std::array<std::uint32_t, 256>& table : of_packed_) {
      hash ^= table[packed & 0xFFU];
      packed >>= 8U;
    }
    return hash;
  }
  void prepare_linear(NodeId hosts);

  FlowHashSettings settings_;
  NodeId first_switch_;
  std::vector<std::uint64_t> of_source_, of_destination_;
  std::vector<std::uint64_t> of_switch_;  // a factor (ideal), a seed (Toeplitz), or what its seed changes
  // CRC-32 and the XOR fold of two fields are the exclusive or of those of each: what every host, and every
  // byte of the port and of the QP number, adds to the hash of no field at all, which the first table has.
  std::vector<std::uint32_t> of_source_address_, of_destination_address_;
  std::array<std::array<std::uint32_t, 256>, 5> of_packed_{};
};

}  // namespace assay::model::fabric
