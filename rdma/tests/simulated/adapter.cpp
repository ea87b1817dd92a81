// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/tests/simulated/adapter.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "harness/core/mix.hpp"
#include "harness/core/tests/simulated/node.hpp"

namespace assay::rdma::simulated {
namespace {

using core::simulated::Node;

int leaf_of(int rail) {
  const auto [one, other] = Node::shared().faults().crossed_rails;
  if (rail == one) return other;
  return rail == other ? one : rail;
}

std::uint64_t node_number() { return Node::shared().seed() % most_nodes; }

}  // namespace

int rails() {
  const char* const text = std::getenv("ASSAY_SIMULATED_RAILS");
  return text == nullptr ? 0 : std::clamp(std::atoi(text), 0, most_rails);
}

Adapter adapter_of(int rail) {
  const core::simulated::Faults& faults = Node::shared().faults();
  Adapter adapter{
      .rail = rail, .port = static_cast<int>(node_number()) * most_rails + rail, .leaf = leaf_of(rail)};
  adapter.bytes_per_s =
      port_bytes_per_s *
      (1 + spread_of_adapters * core::simulated::noise(core::mix64(static_cast<std::uint64_t>(rail) +
                                                                   77'000 * Node::shared().seed())));
  if (rail == faults.slow_rail) adapter.bytes_per_s *= 1 - faults.slow_rail_percent / 100;
  if (rail == faults.bad_cable_rail) adapter.bad_message_of = faults.bad_message_of;
  return adapter;
}

std::string Adapter::name() const { return "mlx5_" + std::to_string(rail); }

ibv_gid Adapter::gid() const {
  constexpr std::uint64_t hosts_of_a_subnet = 250;
  const std::uint64_t node = node_number();
  ibv_gid gid{};
  gid.raw[10] = gid.raw[11] = 0xff;
  gid.raw[12] = 10;
  gid.raw[13] = static_cast<std::uint8_t>(leaf);
  gid.raw[14] = static_cast<std::uint8_t>(node / hosts_of_a_subnet);
  gid.raw[15] = static_cast<std::uint8_t>(1 + node % hosts_of_a_subnet);
  return gid;
}

std::string Adapter::sysfs() const { return Node::shared().folder() + "/sys/class/infiniband/" + name(); }

void write_symbol_errors(const Adapter& adapter, std::uint64_t count) {
  std::ofstream(adapter.sysfs() + "/ports/1/counters/symbol_error") << count << '\n';
}

}  // namespace assay::rdma::simulated
