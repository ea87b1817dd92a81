// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/path/udp_port.hpp"

namespace assay::path {

std::uint16_t udp_source_port(std::uint32_t flow_label, std::uint32_t local_qpn, std::uint32_t remote_qpn) {
  const std::uint32_t label = flow_label & flow_label_mask;
  return udp_source_port(label == 0 ? flow_label_of_qps(local_qpn, remote_qpn) : label);
}

std::uint16_t rxe_source_port(std::uint32_t local_qpn) {
  constexpr unsigned port_bits = 14;
  constexpr std::uint32_t golden_ratio = 0x61C88647;
  const std::uint32_t hash = (local_qpn * golden_ratio) >> (32U - port_bits);
  return static_cast<std::uint16_t>(first_roce_source_port + hash);
}

}  // namespace assay::path
