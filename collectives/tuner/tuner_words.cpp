// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From NCCL 2.28.9's model of costs (src/graph/tuning.cc): what it leaves without a bandwidth is never
// chosen.
#include "collectives/tuner/tuner_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::collectives {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

std::string why_nccl_never_runs(const TunerPair& pair) {
  if (!collective_has(pair.collective, pair.algorithm))
    return fmt::format("NCCL has no {} for {}", pair.algorithm, pair.collective);
  if (!is_one_of(pair.algorithm, {"ring", "tree"}) && pair.protocol != "simple")
    return fmt::format("NCCL runs {} with protocol simple only", pair.algorithm);
  if (pair.algorithm == "nvls_tree" && pair.nodes == 1) return "NCCL runs nvls_tree on several nodes only";
  if (pair.algorithm == "pat" && pair.nodes > 0 && pair.ranks > 0 && pair.nodes != pair.ranks)
    return "NCCL runs pat with one rank on each node only (but for NCCL_PAT_ENABLE=1)";
  return "";
}

}  // namespace assay::collectives
