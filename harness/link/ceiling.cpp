// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/ceiling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "harness/core/error.hpp"

namespace assay::link {

namespace {

// IEEE 802.3: preamble with delimiter and gap surround a frame and do not count towards its least size.
constexpr int around_frame_bytes = 8 + 12, least_frame_bytes = 64;
// InfiniBand Architecture Specification 1.4, chapter 9.
constexpr int reth_bytes = 16, immediate_bytes = 4, aeth_bytes = 4, atomic_eth_bytes = 28, deth_bytes = 8;
constexpr int bits_per_byte = 8;

bool on_ethernet(Encapsulation encapsulation) { return encapsulation != Encapsulation::infiniband; }

/// Headers of the operation in a packet that is the message's first, last, both or neither.
int operation_bytes(WireOperation operation, bool first, bool last) {
  switch (operation) {
    case WireOperation::write:
      return first ? reth_bytes : 0;
    case WireOperation::write_with_immediate:
      return (first ? reth_bytes : 0) + (last ? immediate_bytes : 0);
    case WireOperation::send:
      return 0;
    case WireOperation::send_with_immediate:
      return last ? immediate_bytes : 0;
    case WireOperation::read:
      return first || last ? aeth_bytes : 0;
    case WireOperation::atomic:
      return atomic_eth_bytes;
    case WireOperation::datagram:
      return deth_bytes;
  }
  return 0;
}

void check(const Link& link, std::int64_t message_bytes, WireOperation operation) {
  constexpr std::array mtus = {256, 512, 1024, 2048, 4096};
  if (std::find(mtus.begin(), mtus.end(), link.mtu_bytes) == mtus.end())
    core::usage_error(
        fmt::format("path MTU {}: expected 256, 512, 1024, 2048 or 4096 bytes", link.mtu_bytes));
  if (message_bytes < 0) core::usage_error(fmt::format("a message of {} bytes", message_bytes));
  if (operation == WireOperation::atomic && message_bytes != 8)
    core::usage_error(fmt::format("an atomic operation of {} bytes: they are of 8", message_bytes));
  if (operation == WireOperation::datagram && message_bytes > link.mtu_bytes)
    core::usage_error(fmt::format("a datagram of {} bytes at path MTU {}", message_bytes, link.mtu_bytes));
}

std::int64_t packet_bytes(const Link& link, std::int64_t payload_bytes, int extra_bytes) {
  const std::int64_t padded = (payload_bytes + 3) / 4 * 4;
  const std::int64_t all = packet_overhead_bytes(link.encapsulation) + extra_bytes + padded;
  return on_ethernet(link.encapsulation) ? std::max<std::int64_t>(all, least_frame_bytes + around_frame_bytes)
                                         : all;
}

std::optional<Encapsulation> encapsulation_of(const machine::Hca& hca, int gid_index) {
  if (hca.link_layer == "InfiniBand") return Encapsulation::infiniband;
  if (hca.link_layer != "Ethernet") return {};
  const auto gid = std::find_if(hca.gids.begin(), hca.gids.end(),
                                [&](const machine::Gid& one) { return one.index == gid_index; });
  if (gid == hca.gids.end() || gid->type.empty()) return {};
  if (gid->type != "RoCE v2") return Encapsulation::roce_v1;
  // A GID holds an IPv4 address as IPv6 maps it.
  return gid->gid.starts_with("0000:0000:0000:0000:0000:ffff:") ? Encapsulation::roce_v2_ipv4
                                                                : Encapsulation::roce_v2_ipv6;
}

}  // namespace

std::optional<LinkRate> parse_link_rate(const std::string& text) {
  LinkRate rate;
  const char* end = text.data() + text.size();
  const auto [unit, error] = std::from_chars(text.data(), end, rate.nominal_gbit_per_s);
  const std::string rest(unit, end);
  const std::string before_lanes = " Gb/sec (";
  if (error != std::errc{} || !(rate.nominal_gbit_per_s > 0) || !rest.starts_with(before_lanes) ||
      !rest.ends_with(")"))
    return {};
  const std::string lanes = rest.substr(before_lanes.size(), rest.size() - before_lanes.size() - 1);
  const auto [x, no_lanes] = std::from_chars(lanes.data(), lanes.data() + lanes.size(), rate.lanes);
  const std::string speed(x, lanes.data() + lanes.size());
  if (no_lanes != std::errc{} || rate.lanes < 1 || !speed.starts_with("X")) return {};
  rate.speed = speed.substr(std::min<std::size_t>(2, speed.size()));
  return rate;
}

double data_rate_gbit_per_s(const LinkRate& rate, bool infiniband) {
  if (!infiniband) return rate.nominal_gbit_per_s;
  if (rate.speed == "SDR" || rate.speed == "DDR" || rate.speed == "QDR")
    return rate.nominal_gbit_per_s * 8 / 10;
  constexpr double fdr_lane_gbit_per_s = 14.0625;  // sysfs drops the fraction: "56 Gb/sec (4X FDR)"
  if (rate.speed == "FDR") return rate.lanes * fdr_lane_gbit_per_s * 64 / 66;
  return rate.nominal_gbit_per_s;
}

std::optional<Link> link_of(const machine::Hca& hca, int gid_index, int mtu_bytes) {
  const auto rate = parse_link_rate(hca.rate);
  const auto encapsulation = encapsulation_of(hca, gid_index);
  if (hca.software || hca.state != "ACTIVE" || !rate || !encapsulation) return {};
  return Link{data_rate_gbit_per_s(*rate, *encapsulation == Encapsulation::infiniband), mtu_bytes,
              *encapsulation};
}

std::int64_t wire_bytes(const Link& link, std::int64_t message_bytes, WireOperation operation) {
  check(link, message_bytes, operation);
  // An atomic's operands travel in its header.
  const std::int64_t payload = operation == WireOperation::atomic ? 0 : message_bytes;
  const std::int64_t packets = std::max<std::int64_t>(1, (payload + link.mtu_bytes - 1) / link.mtu_bytes);
  const std::int64_t in_last = payload - (packets - 1) * link.mtu_bytes;
  if (packets == 1) return packet_bytes(link, in_last, operation_bytes(operation, true, true));
  return packet_bytes(link, link.mtu_bytes, operation_bytes(operation, true, false)) +
         (packets - 2) * packet_bytes(link, link.mtu_bytes, operation_bytes(operation, false, false)) +
         packet_bytes(link, in_last, operation_bytes(operation, false, true));
}

double ceiling_gb_per_s(const Link& link) {
  check(link, 0, WireOperation::send);
  return link.data_rate_gbit_per_s / bits_per_byte * link.mtu_bytes /
         static_cast<double>(packet_bytes(link, link.mtu_bytes, 0));
}

double ceiling_gb_per_s(const Link& link, std::int64_t message_bytes, WireOperation operation) {
  return ceiling_messages_per_s(link, message_bytes, operation) * static_cast<double>(message_bytes) * 1e-9;
}

double ceiling_messages_per_s(const Link& link, std::int64_t message_bytes, WireOperation operation) {
  return link.data_rate_gbit_per_s * 1e9 / bits_per_byte /
         static_cast<double>(wire_bytes(link, message_bytes, operation));
}

}  // namespace assay::link
