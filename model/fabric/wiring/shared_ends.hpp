// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Missing cables paired with extra ones that share an end with them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace assay::model::fabric::wiring {

/// Cables by the ends that they can share: a group is a switch of the site, or a label of hosts.
struct SharedEnds {
  static constexpr std::size_t no_group = ~std::size_t{0};

  std::vector<std::array<std::size_t, 2>> groups_of_missing;  // no_group: an end that no extra cable has
  std::vector<std::vector<std::size_t>> extras_of_group;      // ascending; an extra cable may be in two
  std::size_t extras = 0;
};

/// The most pairs of a missing and an extra cable of a group: of each extra one its missing one. Augmenting
/// paths (Kuhn 1955), each in time that grows with the extra cables alone, and with no recursion.
std::vector<std::optional<std::size_t>> most_pairs(const SharedEnds& ends);

}  // namespace assay::model::fabric::wiring
