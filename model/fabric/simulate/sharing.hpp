// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rule by which flows share links, and how far that rule is known to be off.
#pragma once

#include <cstddef>
#include <string_view>

#include "harness/core/words.hpp"

namespace assay::model::fabric {

enum class SharingRuleKind { bound, max_min, occupancy };
inline constexpr auto rule_words = core::words_of<SharingRuleKind>("bound", "max-min", "occupancy");

enum class SharingChoice { automatic, bound, max_min, occupancy };
inline constexpr auto choice_words = core::words_of<SharingChoice>("auto", "bound", "max-min", "occupancy");

/// Facts of a step that the choice depends on.
struct StepFlows {
  std::size_t flows = 0;  // parts of messages
  bool equal = true;      // all of one size within a byte, and none limited by its window
  bool lossless = true;   // without rate control: pauses, not rates, share links
};

inline constexpr std::size_t most_occupancy_flows = 200'000;  // of a step

/// The most flows of an all-to-all at once to hash: of more, counts on links are drawn.
inline constexpr std::size_t most_hashed_flows = 100'000'000;

/// auto: occupancy for lossless fabrics without rate control up to most_occupancy_flows, else the bound where
/// it is exact, else max-min.
SharingRuleKind rule_for(SharingChoice choice, const StepFlows& flows);

/// Against packet simulations, whose routes were used.
std::string_view known_error(SharingRuleKind rule, bool sprays);

}  // namespace assay::model::fabric
