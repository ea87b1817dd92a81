// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rails of a node, and the adapter that each of its ranks measures with. Decided from the description of
// the machine alone, so that all ranks of a node decide alike.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"

namespace assay::machine {

/// "mlx5_3:1"
std::string port_name(const Hca& hca);

/// Ports of adapters; a port's place in the list is its rail. By PCI address, then port; software devices
/// come last, by name. `named` ("mlx5_3", "mlx5_0:2") gives the rails in another order, and ports that it
/// leaves out are none. Throws a usage Error for a name that no port has, or that comes twice.
std::vector<const Hca*> rails_of(const Machine& machine, const std::vector<std::string>& named = {});

/// A rank of this node; -1 where unknown.
struct LocalRank {
  int gpu = -1;        // its index in Machine::gpus
  int numa_node = -1;  // that its CPUs are of, where all are of one
};

struct AdapterChoice {
  std::string device;  // "mlx5_3:1"
  int rail = -1;
  std::string reason = {};  // "nearest to GPU 3 (PIX)"
};

/// The active port for the rank `own` of all ranks of a node: nearest to its GPU by PCIe (PIX, PXB, PHB,
/// NODE, SYS), without a GPU on its NUMA node. Equal ports are given in order to the ranks that they are
/// equal for, first to ranks with the smallest choice. Nothing where no port is active.
std::optional<AdapterChoice> choose_adapter(const Machine& machine, std::span<const Hca* const> rails,
                                            std::span<const LocalRank> ranks, std::size_t own);

}  // namespace assay::machine
