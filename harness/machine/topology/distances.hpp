// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How far two PCI devices are from each other, in nvidia-smi's words, decided from where they hang.
#pragma once

#include <string>

#include "harness/machine/machine.hpp"

namespace assay::machine {

/// PIX: one bridge or switch at most between them. PXB: several bridges, but no host bridge. PHB: through the
/// root complex of one host bridge. NODE: between host bridges of one NUMA node. SYS: between NUMA nodes.
/// "" where the links do not show it. `numa_nodes`: how many the machine has.
std::string distance(const PcieLink& from, const PcieLink& to, std::size_t numa_nodes);

/// Place of the word in the order from near to far; the number of words for any other.
std::size_t farness(const std::string& distance);

}  // namespace assay::machine
