// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The words of NCCL's example tuner plug-in, and which of them NCCL 2.28 can run together.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace assay::collectives {

inline constexpr std::array<std::string_view, 5> tuner_collectives{"broadcast", "reduce", "allgather",
                                                                   "reducescatter", "allreduce"};
inline constexpr std::array<std::string_view, 7> tuner_algorithms{
    "tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat"};
inline constexpr std::array<std::string_view, 3> tuner_protocols{"ll", "ll128", "simple"};

// The words that the plug-in assumes instead of ones that it does not know.
inline constexpr std::string_view unknown_collective = "allreduce", unknown_algorithm = "ring",
                                  unknown_protocol = "simple";

/// As 2.28.9 has kernels: src/device/generate.py, algos_of_coll.
constexpr bool collective_has(std::string_view collective, std::string_view algorithm) {
  if (algorithm == "ring") return true;
  if (collective == "allreduce") return algorithm != "pat";
  if (collective == "broadcast" || collective == "reduce") return false;
  return algorithm == "collnet_direct" || algorithm == "nvls" || algorithm == "pat";
}

struct TunerPair {
  std::string_view collective, algorithm, protocol;
  int nodes = -1, ranks = -1;  // -1: any
};

/// One line why NCCL never runs this pair, of words that the plug-in knows; empty where it may. What a
/// machine lacks (NVLink multicast, CollNet) is not known here.
std::string why_nccl_never_runs(const TunerPair& pair);

}  // namespace assay::collectives
