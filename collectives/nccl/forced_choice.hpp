// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The choice that NCCL is made to take: algorithm and protocol, where it has that pair for the operation; and
// how it is asked for, by NCCL_ALGO and NCCL_PROTO, which it reads whenever a communicator is made (2.28:
// src/graph/tuning.cc).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/data_type.hpp"
#include "collectives/nccl/environment.hpp"
#include "collectives/nccl/ran_collective.hpp"
#include "collectives/problem.hpp"

namespace assay::collectives {

inline constexpr std::string_view left_to_nccl = "default";

struct Choice {
  std::string algorithm{left_to_nccl}, protocol{left_to_nccl};  // "nvls_tree", "ll128"

  bool is_forced() const { return algorithm != left_to_nccl || protocol != left_to_nccl; }
};

const std::vector<std::string>& nccl_algorithms();  // "default" first
const std::vector<std::string>& nccl_protocols();

/// Why NCCL has no such pair for the problem, from its own tables; empty where it may have. On `nodes` as
/// NCCL counts them; 0: not known yet. The rest (NVSwitch, collnet) is for NCCL to say.
std::string why_not_chosen(const Choice& choice, const Problem& problem, DataType type, Operator reduction,
                           int nodes);

/// NCCL_ALGO and NCCL_PROTO for the operation alone: "allreduce:nvlstree". Nothing where nothing is forced.
std::vector<Variable> variables_of(const Choice& choice, Operation operation);

/// "as asked", or "asked ring, ran tree"; "unknown" where NCCL reported nothing.
std::string compared(const Choice& choice, const std::optional<RanCollective>& ran);

/// Why busbw is not a wire rate with what ran, in NCCL's words; empty where it is.
std::string why_no_wire_rate(std::string_view ran_algorithm);

}  // namespace assay::collectives
