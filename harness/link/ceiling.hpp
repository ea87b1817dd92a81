// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The most payload a link can carry: its data rate, less what each packet spends on headers, gaps and
// checksums.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/link/packet_headers.hpp"
#include "harness/machine/machine.hpp"

namespace assay::link {

/// Operations, by the packets that carry the payload and their extra headers. Transports RC and UC look alike
/// on the wire.
enum class WireOperation { write, write_with_immediate, send, send_with_immediate, read, atomic, datagram };

struct LinkRate {
  double nominal_gbit_per_s = 0;  // as sysfs states it
  int lanes = 0;                  // 4 of "4X"
  std::string speed;              // NDR
};

/// "400 Gb/sec (4X NDR)" as sysfs writes it; empty for anything else.
std::optional<LinkRate> parse_link_rate(const std::string& text);

/// The rate left for packets after line coding. The nominal rate of InfiniBand's SDR, DDR and QDR counts
/// 8b/10b symbols, that of FDR 64b/66b blocks; all later speeds, and Ethernet, are named by their data rate.
double data_rate_gbit_per_s(const LinkRate& rate, bool infiniband);

struct Link {
  double data_rate_gbit_per_s = 0;
  int mtu_bytes = 4096;  // path MTU: payload of one packet
  Encapsulation encapsulation = Encapsulation::roce_v2_ipv4;
};

/// The link of a port, for packets sent from GID `gid_index` at path MTU `mtu_bytes`. Empty for a software
/// device (its rate is a constant in its driver), a port that is not ACTIVE, and an unknown
/// rate or GID.
std::optional<Link> link_of(const machine::Hca& hca, int gid_index, int mtu_bytes);

/// Bytes on the wire, in the direction of the payload, for one message: headers of each packet, the
/// operation's own headers (RETH 16 on the first packet of a write, ImmDt 4 on the last, AETH 4 on the first
/// and last of a read's answer, AtomicETH 28, DETH 8), payload in whole words of 4, Ethernet frames of at
/// least 64 bytes. Acknowledgements run the other way. Throws a usage Error for a negative size, an MTU that
/// IBTA does not define, an atomic that is not of 8 bytes, a datagram beyond the MTU.
std::int64_t wire_bytes(const Link& link, std::int64_t message_bytes, WireOperation operation);

/// Rate of full packets in a row, which a long message approaches, in GB/s (10^9 bytes) of payload, one
/// direction.
double ceiling_gb_per_s(const Link& link);
/// Rates of messages of this size back to back.
double ceiling_gb_per_s(const Link& link, std::int64_t message_bytes, WireOperation operation);
double ceiling_messages_per_s(const Link& link, std::int64_t message_bytes, WireOperation operation);

}  // namespace assay::link
