// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Colours of a switch's surroundings: equal where these are alike up to names.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/fabric/wiring/wired_net.hpp"

namespace assay::model::fabric::wiring {

class SwitchColours {
 public:
  static constexpr std::size_t rounds = 4;  // the first: the switch itself, each more: its neighbours, too

  /// `marks`: of each switch, not 0 where it is matched: equal in both nets for a matched pair.
  SwitchColours(const WiredNet& net, const std::vector<std::uint64_t>& marks);

  /// Rounds by which two switches of two nets are alike.
  static std::uint32_t alike(const SwitchColours& one, std::uint32_t of_one, const SwitchColours& other,
                             std::uint32_t of_other);

 private:
  std::array<std::vector<std::uint64_t>, rounds> colours_;
};

}  // namespace assay::model::fabric::wiring
