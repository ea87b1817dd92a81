// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/packet_headers.hpp"

namespace assay::link {

std::vector<Header> packet_headers(Encapsulation encapsulation) {
  const std::vector<Header> transport = {{"BTH", 12}, {"ICRC", 4}};
  if (encapsulation == Encapsulation::infiniband) return {{"LRH", 8}, {"BTH", 12}, {"ICRC", 4}, {"VCRC", 2}};
  std::vector<Header> headers = {{"preamble", 8}, {"Ethernet", 14}};
  if (encapsulation == Encapsulation::roce_v1) headers.push_back({"GRH", 40});
  if (encapsulation == Encapsulation::roce_v2_ipv4) headers.push_back({"IPv4", 20});
  if (encapsulation == Encapsulation::roce_v2_ipv6) headers.push_back({"IPv6", 40});
  if (encapsulation != Encapsulation::roce_v1) headers.push_back({"UDP", 8});
  headers.insert(headers.end(), transport.begin(), transport.end());
  headers.insert(headers.end(), {{"FCS", 4}, {"gap", 12}});
  return headers;
}

int packet_overhead_bytes(Encapsulation encapsulation) {
  int bytes = 0;
  for (const Header& header : packet_headers(encapsulation)) bytes += header.bytes;
  return bytes;
}

std::string_view to_string(Encapsulation encapsulation) {
  switch (encapsulation) {
    case Encapsulation::roce_v2_ipv4:
      return "RoCEv2 over IPv4";
    case Encapsulation::roce_v2_ipv6:
      return "RoCEv2 over IPv6";
    case Encapsulation::roce_v1:
      return "RoCE v1";
    case Encapsulation::infiniband:
      return "InfiniBand";
  }
  return "";
}

}  // namespace assay::link
