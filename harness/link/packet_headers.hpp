// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The headers, gaps and checksums of each packet of an encapsulation.
#pragma once

#include <string_view>
#include <vector>

namespace assay::link {

enum class Encapsulation { roce_v2_ipv4, roce_v2_ipv6, roce_v1, infiniband };

struct Header {
  std::string_view name;
  int bytes;
};

/// Parts of every packet besides payload, in order on the wire, preamble and gap between frames included.
std::vector<Header> packet_headers(Encapsulation encapsulation);
int packet_overhead_bytes(Encapsulation encapsulation);

std::string_view to_string(Encapsulation encapsulation);

}  // namespace assay::link
