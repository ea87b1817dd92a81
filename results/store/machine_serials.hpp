// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Serial numbers of what a machine is made of, which tell two machines of one name apart.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace assay::results {

/// Part and serial number: "GPU 0" and its UUID, "mlx5_0" and its GUID; of a context's machine. What it does
/// not tell is left out.
using MachineSerials = std::vector<std::pair<std::string, std::string>>;
MachineSerials serials_of(const nlohmann::ordered_json& machine);

/// "GPU 0 is GPU-1 in one and GPU-2 in the other".
std::string difference_text(const std::string& part, const std::string& one, const std::string& other);

struct SerialComparison {
  bool any_same = false;
  std::string difference = {};  // the first; empty: none
};
/// Of the parts that both have.
SerialComparison compare(const MachineSerials& one, const MachineSerials& other);

}  // namespace assay::results
