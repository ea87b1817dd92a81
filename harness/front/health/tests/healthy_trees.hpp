// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Machines that are well: the folder that stands for /, and the table of their GPUs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/machine/tests/fake_node.hpp"

namespace assay::health {

/// hgx_ib: 8 H100 with 18 NVLinks, 8 ConnectX-7 on InfiniBand, each pair below a switch of its own;
/// hgx_roce: the same on Ethernet; pcie: 2 H100 PCIe at root ports and one adapter; host: none of them.
/// Returns the table of GPUs.
nlohmann::json build_healthy(const std::string& tree, machine::FakeNode& node);

/// The expectation that fits it, as TOML.
std::string expectation_of(const std::string& tree);

}  // namespace assay::health
