// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/host/stream_kernels.hpp"

#include <algorithm>

namespace assay::memory {

std::vector<const InstructionSet*> instruction_sets() {
  std::vector<const InstructionSet*> found;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) found.push_back(&avx512_loops);
  if (__builtin_cpu_supports("avx2")) found.push_back(&avx2_loops);
  found.push_back(&sse2_loops);
  return found;
}

std::size_t clearly_fastest(std::span<const double> seconds) {
  constexpr double share = 0.98;
  std::size_t best = 0;
  for (std::size_t at = 1; at < seconds.size(); ++at)
    if (seconds[at] < share * seconds[best]) best = at;
  return best;
}

const InstructionSet* instruction_set_named(std::string_view name) {
  const std::vector<const InstructionSet*> sets = instruction_sets();
  const auto found = std::ranges::find(sets, name, &InstructionSet::name);
  return found == sets.end() ? nullptr : *found;
}

}  // namespace assay::memory
