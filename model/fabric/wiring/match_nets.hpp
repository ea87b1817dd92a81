// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Switches of a site matched with those of a plan, by structure and by hosts' labels: names of switches do
// not count.
#pragma once

#include <cstdint>
#include <vector>

#include "model/fabric/wiring/wired_net.hpp"

namespace assay::model::fabric::wiring {

inline constexpr std::uint32_t unmatched = ~std::uint32_t{0};

struct NetMatch {
  std::vector<std::uint32_t> site_of;  // of each switch of the plan; or unmatched
  std::uint64_t faults = 0;            // cables that the site lacks, and that it has beyond the plan
  std::uint32_t starts = 0;            // of the search
};

struct MatchSettings {
  std::uint32_t most_starts = 512;
  std::uint64_t seed = 1;
};

/// The match with the fewest faults that the search finds. It grows from a pair: a switch is matched with the
/// one that has most matched neighbours in common, of equals by colours of their surroundings (Weisfeiler and
/// Leman 1968, refined after each of the first matches); then pairs with faults exchange their partners while
/// that helps. Starts differ in the first pair and in draws among equals; every other one begins
/// with a part of the best match so far. They end early without faults, or
/// where many in a row were no better.
NetMatch match_nets(const WiredNet& plan, const WiredNet& site, const MatchSettings& settings = {});

/// Cables missing and extra of the switch of the plan at this switch of the site, its neighbours as matched.
std::uint64_t faults_of(const WiredNet& plan, const WiredNet& site,
                        const std::vector<std::uint32_t>& site_of);

}  // namespace assay::model::fabric::wiring
