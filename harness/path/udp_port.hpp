// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The UDP source port of a RoCEv2 flow: the field of the five-tuple by which switches distinguish flows.
#pragma once

#include <cstdint>

namespace assay::path {

inline constexpr std::uint32_t flow_label_mask = 0xFFFFF;        // 20 bits
inline constexpr std::uint32_t qp_number_mask = 0xFFFFFF;        // 24 bits
inline constexpr std::uint16_t first_roce_source_port = 0xC000;  // 49152, to 65535
inline constexpr std::uint16_t roce_destination_port = 4791;

/// The flow label the kernel gives a connected QP whose address handle has label 0: the 48-bit product of
/// both numbers folded to 20 bits, the same at both ends. Linux, include/rdma/ib_verbs.h,
/// rdma_calc_flow_label.
constexpr std::uint32_t flow_label_of_qps(std::uint32_t local_qpn, std::uint32_t remote_qpn) {
  const std::uint64_t product = std::uint64_t{local_qpn & qp_number_mask} * (remote_qpn & qp_number_mask);
  const std::uint64_t once = product ^ (product >> 20U);
  return static_cast<std::uint32_t>((once ^ (once >> 40U)) & flow_label_mask);
}

/// A label of 20 bits folded to 14, above 0xC000. The same rule in rdma-core (libibverbs/verbs.h,
/// ibv_flow_label_to_udp_sport) and in Linux (include/rdma/ib_verbs.h, rdma_flow_label_to_udp_sport).
constexpr std::uint16_t udp_source_port(std::uint32_t flow_label) {
  const std::uint32_t label = flow_label & flow_label_mask;
  return static_cast<std::uint16_t>(((label ^ (label >> 14U)) & 0x3FFFU) | first_roce_source_port);
}

/// The port of a connected QP (RC, UC): of its label, where that is 0 of its pair of QP numbers. Linux,
/// include/rdma/ib_verbs.h, rdma_get_udp_sport; mlx5 and, since Linux 5.18, rxe.
std::uint16_t udp_source_port(std::uint32_t flow_label, std::uint32_t local_qpn, std::uint32_t remote_qpn);

/// The port rxe gives a QP when it is made, from its own number by a multiplicative hash. UD QPs keep it, and
/// all QPs did before Linux 5.18. drivers/infiniband/sw/rxe/rxe_qp.c, rxe_qp_init_req; include/linux/hash.h,
/// hash_32.
std::uint16_t rxe_source_port(std::uint32_t local_qpn);

}  // namespace assay::path
