// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Axes that the cases share for this module's two memories, and why a machine cannot place a point.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/axis.hpp"
#include "harness/core/measure/within.hpp"
#include "harness/machine/machine.hpp"

namespace assay::offload {

/// -1, by the name "local", is not a particular node.
core::Axis node_axis(std::string name, std::string meaning);
core::Axis cap_axis(std::string meaning, std::vector<core::Value> values);

/// Why a node of these does not exist here; empty where all do.
std::optional<std::string> missing_node(const machine::Machine& machine, std::initializer_list<int> nodes);
/// NUMA node of the GPU at this PCI address; -1 where the machine does not report it.
int nearest_node(const machine::Machine& machine, const std::string& pci_address);
/// "WHAT needs N bytes and M are available"; empty where they suffice.
std::optional<std::string> does_not_fit(const std::string& what, std::int64_t bytes,
                                        std::int64_t available_bytes);

}  // namespace assay::offload
