// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/predict/step/asked_operations.hpp"
#include "model/predict/step/step_parts.hpp"

namespace assay::model {
namespace {

/// Processors that the dimensions placed on this tier span together.
std::int64_t placed_on(const Execution& execution, std::size_t tier) {
  std::int64_t product = 1;
  if (execution.tensor_par_net == tier) product *= execution.tensor_par;
  if (execution.context_par_net == tier) product *= execution.context_par;
  if (execution.pipeline_par_net == tier) product *= execution.pipeline_par;
  if (execution.data_par_net == tier)
    product *= execution.data_par;
  else if (execution.expert_par_net == tier)
    product *= execution.expert_data();
  return product;
}

/// As the original writes it with three digits, also below 1 MiB.
std::string binary_size(double bytes, int digits) {
  constexpr std::array<const char*, 7> units = {"iB", "kiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, digits, units[unit]);
}

/// With digits enough to distinguish the two, of those that a double has.
std::string needs_but_has(double needed_bytes, double available_bytes) {
  constexpr int fewest_digits = 3, most_digits = 15;
  int digits = fewest_digits;
  while (digits < most_digits && binary_size(needed_bytes, digits) == binary_size(available_bytes, digits))
    ++digits;
  return fmt::format("needs {} but only has {}", binary_size(needed_bytes, digits),
                     binary_size(available_bytes, digits));
}

/// The first collective of the step that nothing says the time of; with a network, of those on it.
Verdict unmeasured(const Execution& execution, const System& system,
                   std::optional<std::size_t> on = std::nullopt) {
  for (const AskedOperations& asked : asked_operations(execution)) {
    if (on && asked.tier != *on) continue;
    for (const Collective which : asked.operations)
      if (!system.networks[asked.tier].knows(which, static_cast<double>(asked.members)))
        return {.obstacle = Obstacle::not_measured,
                .tier = asked.tier,
                .operation = which,
                .members = asked.members,
                .measured_tier = system.networks[asked.tier].tier};
  }
  return {};
}

/// The verdict where a network has no space; in a measured system that may be what was never measured there.
Verdict no_room(const Execution& execution, const System& system, std::size_t tier) {
  if (system.networks[tier].tier != fit::Tier::unknown)
    if (Verdict lacking = unmeasured(execution, system, tier); !lacking.feasible()) return lacking;
  return {.obstacle = Obstacle::network_too_small, .tier = tier};
}

}  // namespace

Verdict fits_layout(const Application& application, const Execution& execution, const System& system) {
  for (std::size_t tier = 0; tier < system.networks.size(); ++tier) {
    const Network& network = system.networks[tier];
    const std::int64_t placed = placed_on(execution, tier);
    if (placed > network.size) return no_room(execution, system, tier);
    if (network.must_be_filled && network.size % placed != 0)
      return {.obstacle = Obstacle::network_not_filled, .tier = tier};
  }
  if (system.lacks_operations)
    if (Verdict lacking = unmeasured(execution, system); !lacking.feasible()) return lacking;
  const std::int64_t blocks = (application.num_blocks + execution.pipeline_par - 1) / execution.pipeline_par;
  if (execution.interleaving > blocks) return {.obstacle = Obstacle::interleaving_too_big};
  if (blocks % execution.interleaving != 0) return {.obstacle = Obstacle::interleaving_no_factor};
  if (execution.any_offload() && blocks < 3) return {.obstacle = Obstacle::offload_too_few_blocks};
  return {};
}

std::string to_string(const Verdict& verdict) {
  switch (verdict.obstacle) {
    case Obstacle::none:
      return "";
    case Obstacle::network_too_small:
      return fmt::format("Network tier{} isn't big enough", verdict.tier);
    case Obstacle::network_not_filled:
      return fmt::format("Network tier{} isn't fully used", verdict.tier);
    case Obstacle::not_measured:
      if (verdict.measured_tier != fit::Tier::unknown)
        return fmt::format("not measured: {} among {} {} (network tier{})",
                           collective_names[static_cast<std::size_t>(verdict.operation)], verdict.members,
                           fit::tier_text(verdict.measured_tier), verdict.tier);
      return fmt::format("{} among {} of network tier{} was not measured",
                         collective_names[static_cast<std::size_t>(verdict.operation)], verdict.members,
                         verdict.tier);
    case Obstacle::interleaving_too_big:
      return "Pipeline interleaving must be less than or equal to the number of blocks per processor";
    case Obstacle::interleaving_no_factor:
      return "Pipeline interleaving must be a factor value of the number of blocks per processor";
    case Obstacle::offload_too_few_blocks:
      return "Offloading requires each processor to handle at least 3 blocks";
    case Obstacle::mem1_too_small:
    case Obstacle::mem2_too_small:
      return fmt::format("Mem tier{} {}", verdict.obstacle == Obstacle::mem1_too_small ? 1 : 2,
                         needs_but_has(verdict.needed_bytes, verdict.available_bytes));
  }
  return "";
}

}  // namespace assay::model
