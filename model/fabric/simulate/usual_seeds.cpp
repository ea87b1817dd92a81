// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/usual_seeds.hpp"

#include <fmt/format.h>

namespace assay::model::fabric {

namespace {

constexpr std::uint32_t most_seeds = 20, seeds_of_large = 5, large_gpus = 1024, huge_gpus = 8192;

/// Whether some switch has several cables to choose from by a hash.
bool hashes(const FabricModel& model) {
  const RoutingKind kind = model.file().routing.kind;
  if (kind == RoutingKind::tables || kind == RoutingKind::adaptive) return false;
  return model.topology().nodes() > model.topology().hosts() + 1;
}

}  // namespace

UsualSeeds usual_seeds(const FabricModel& model) {
  if (!hashes(model)) return {1, "One hash seed says all: no switch hashes."};
  const std::uint32_t gpus = model.topology().hosts();
  if (gpus <= large_gpus) return {most_seeds};
  if (gpus > huge_gpus)
    return {1, fmt::format("One hash seed on more than {} GPUs: --seeds N gives the range.", huge_gpus)};
  return {seeds_of_large, fmt::format("{} hash seeds, not {}, on more than {} GPUs: --seeds N takes others.",
                                      seeds_of_large, most_seeds, large_gpus)};
}

}  // namespace assay::model::fabric
