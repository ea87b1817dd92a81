// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/topology/rails.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "harness/core/error.hpp"
#include "harness/machine/topology/distances.hpp"

namespace assay::machine {

namespace {

constexpr std::size_t far_away = std::numeric_limits<std::size_t>::max();

/// A domain of more digits is a higher one.
auto place_on_the_bus(const Hca& hca) {
  const std::string& address = hca.pcie.address;
  return std::tuple(address.empty(), address.size(), address, hca.port);
}

const Hca* port_named(const Machine& machine, const std::string& name) {
  for (const Hca& hca : machine.hcas)
    if (name == port_name(hca) || (name == hca.device && hca.port == 1)) return &hca;
  return nullptr;
}

std::vector<const Hca*> named_rails(const Machine& machine, const std::vector<std::string>& named) {
  std::vector<const Hca*> rails;
  std::vector<std::string> known;
  for (const Hca& hca : machine.hcas) known.push_back(port_name(hca));
  for (const std::string& name : named) {
    const Hca* port = port_named(machine, name);
    if (port == nullptr)
      core::usage_error(fmt::format("no port of an RDMA device is named '{}' (there are: {})", name,
                                    fmt::join(known, " ")));
    if (std::ranges::find(rails, port) != rails.end())
      core::usage_error(fmt::format("'{}' appears twice among the rails", name));
    rails.push_back(port);
  }
  return rails;
}

const Gpu* gpu_of(const Machine& machine, const LocalRank& rank) {
  const bool known = rank.gpu >= 0 && static_cast<std::size_t>(rank.gpu) < machine.gpus.size();
  return known ? &machine.gpus[static_cast<std::size_t>(rank.gpu)] : nullptr;
}

std::size_t farness_of(const Machine& machine, const LocalRank& rank, const Hca& hca) {
  if (const Gpu* gpu = gpu_of(machine, rank))
    return farness(distance(gpu->pcie, hca.pcie, machine.numa.size()));
  const bool known = rank.numa_node >= 0 && hca.pcie.numa_node >= 0;
  return known && rank.numa_node != hca.pcie.numa_node ? 1 : 0;
}

/// Active ports that are nearest, by rail.
struct Nearest {
  std::vector<std::size_t> rails;
  std::size_t farness = far_away;
};

Nearest nearest_of(const Machine& machine, std::span<const Hca* const> rails, const LocalRank& rank) {
  Nearest nearest;
  for (std::size_t rail = 0; rail < rails.size(); ++rail) {
    if (rails[rail]->state != "ACTIVE") continue;
    const std::size_t far = farness_of(machine, rank, *rails[rail]);
    if (far < nearest.farness) nearest = {{}, far};
    if (far == nearest.farness) nearest.rails.push_back(rail);
  }
  return nearest;
}

std::string where(const Machine& machine, const LocalRank& rank, const Hca& hca) {
  if (const Gpu* gpu = gpu_of(machine, rank)) {
    const std::string far = distance(gpu->pcie, hca.pcie, machine.numa.size());
    return fmt::format("nearest to GPU {} ({}", gpu->index, far.empty() ? "distance unknown" : far);
  }
  if (rank.numa_node < 0 || hca.pcie.numa_node < 0) return "no GPU (NUMA node unknown";
  return fmt::format("no GPU (NUMA node {}, the rank's is {}", hca.pcie.numa_node, rank.numa_node);
}

std::string reason_of(const Machine& machine, std::span<const Hca* const> rails, const LocalRank& rank,
                      const Nearest& nearest, std::size_t chosen) {
  std::string reason = where(machine, rank, *rails[chosen]);
  if (nearest.rails.size() > 1) reason += fmt::format(", one of {}", nearest.rails.size());
  reason += ")";
  for (const Hca* port : rails)
    if (port->state != "ACTIVE" && farness_of(machine, rank, *port) < nearest.farness)
      reason += fmt::format("; {} is nearer and {}", port_name(*port), port->state);
  return reason;
}

/// Each rank takes the port of its nearest that the fewest have taken.
std::vector<std::size_t> shared_out(const std::vector<Nearest>& nearest, std::size_t rails) {
  std::vector<std::size_t> order(nearest.size()), taken(rails, 0), chosen(nearest.size(), 0);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t rank) { return nearest[rank].rails.size(); });
  for (const std::size_t rank : order) {
    chosen[rank] =
        *std::ranges::min_element(nearest[rank].rails, {}, [&](std::size_t r) { return taken[r]; });
    ++taken[chosen[rank]];
  }
  return chosen;
}

}  // namespace

std::string port_name(const Hca& hca) { return fmt::format("{}:{}", hca.device, hca.port); }

std::vector<const Hca*> rails_of(const Machine& machine, const std::vector<std::string>& named) {
  if (!named.empty()) return named_rails(machine, named);
  std::vector<const Hca*> rails;
  for (const Hca& hca : machine.hcas) rails.push_back(&hca);
  std::ranges::stable_sort(rails, {}, [](const Hca* hca) { return place_on_the_bus(*hca); });
  return rails;
}

std::optional<AdapterChoice> choose_adapter(const Machine& machine, std::span<const Hca* const> rails,
                                            std::span<const LocalRank> ranks, std::size_t own) {
  std::vector<Nearest> nearest;
  for (const LocalRank& rank : ranks) nearest.push_back(nearest_of(machine, rails, rank));
  if (nearest.at(own).rails.empty()) return std::nullopt;
  const std::size_t rail = shared_out(nearest, rails.size())[own];
  return AdapterChoice{.device = port_name(*rails[rail]),
                       .rail = static_cast<int>(rail),
                       .reason = reason_of(machine, rails, ranks[own], nearest[own], rail)};
}

}  // namespace assay::machine
