// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The tier of a collective, within one node or over nodes: other links, so other curves and laws.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::model::fit {

/// `unknown`: of rows and files that do not say. Ranks on two nodes or more are over nodes, however many of
/// them share a node.
enum class Tier { unknown, within, over };

/// 0 nodes: unknown.
constexpr Tier tier_of(std::int64_t nodes) {
  if (nodes == 0) return Tier::unknown;
  return nodes == 1 ? Tier::within : Tier::over;
}

/// In the order of Tier, from `within` on.
inline constexpr std::array<std::string_view, 2> tier_names{"within a node", "over nodes"};

/// Empty where it is unknown.
constexpr std::string_view tier_text(Tier tier) {
  if (tier == Tier::unknown) return "";
  return tier_names[tier == Tier::within ? 0 : 1];
}

/// "all_reduce among 8 within a node"; the text alone where the tier is unknown.
inline std::string with_tier(std::string text, Tier tier) {
  if (tier != Tier::unknown) text.append(" ").append(tier_text(tier));
  return text;
}

}  // namespace assay::model::fit
