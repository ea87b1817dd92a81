// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/trials/conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

#include "harness/core/names.hpp"
#include "rdma/trials/flow_ports.hpp"

namespace assay::rdma {

std::vector<int> source_ports(const Wiring& wiring) {
  std::vector<int> ports;
  for (const auto& flow : own_queue_pairs(wiring))
    for (const core::QueuePairReport& one : flow) ports.push_back(static_cast<int>(one.source_port));
  return ports;
}

std::vector<core::Fact> conditions_of(const Wiring& wiring) {
  const Device& device = wiring.device();
  std::vector<core::Fact> facts{
      {"device", fmt::format("{}:{}", device.name(), device.port())},
      {"device_choice", wiring.settings().adapter.reason},
      {"connected_by", wiring.settings().connect == Connect::rdma_cm ? "rdma_cm" : "exchanged attributes"},
      {"link_layer", device.ethernet() ? "Ethernet" : "InfiniBand"},
      {core::names::gid,
       fmt::format("{} ({}, index {})", wiring.gid().text(), wiring.gid().type, wiring.gid().index)},
      {"mtu_bytes", std::int64_t{wiring.settings().path.mtu_bytes > 0 ? wiring.settings().path.mtu_bytes
                                                                      : wiring.mtu_bytes()}},
      {core::names::ranks, std::int64_t{wiring.team().size()}},
      {core::names::host, wiring.team().host_of(wiring.team().rank())},
      {"cpu", wiring.cpu() < 0 ? std::string("any") : fmt::format("{}", wiring.cpu())}};
  if (const int rail = wiring.settings().adapter.rail; rail >= 0)
    facts.emplace_back(core::names::rail, std::int64_t{rail});
  if (!wiring.lanes().empty())
    facts.emplace_back("inline_bytes_granted", std::int64_t{wiring.lanes().front().qp.inline_bytes()});
  constexpr std::size_t most_listed = 64;
  const std::vector<int> ports = source_ports(wiring);
  if (!ports.empty())
    facts.emplace_back(
        "udp_source_ports",
        fmt::format("{}", fmt::join(std::span(ports).first(std::min(ports.size(), most_listed)), " ")));
  for (core::Fact& fact : wiring.memory().facts()) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace assay::rdma
