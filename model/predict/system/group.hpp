// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A group of processors by the numbers of its members, and the time of its collectives, which depends on how
// many of them share a node.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "model/predict/system/system.hpp"

namespace assay::model {

/// Processors whose numbers differ by `stride`.
struct Digit {
  std::int64_t stride = 1, size = 1;
  auto operator<=>(const Digit&) const = default;
};

/// Members are the sums of one multiple of each digit's stride. `tier` is the network that reaches them all.
struct ProcessorGroup {
  std::size_t tier = 0;
  std::array<Digit, 4> digits = {};
  auto operator<=>(const ProcessorGroup&) const = default;

  std::int64_t members() const {
    std::int64_t product = 1;
    for (const Digit& digit : digits) product *= digit.size;
    return product;
  }
  /// Members in each full domain of `domain` processors in a row; 1 where strides do not divide it.
  std::int64_t members_within(std::int64_t domain) const;
};

/// Seconds of a collective over `bytes`, the whole tensor. Under Fixes::node_groups what crosses a tier is
/// carried by the adapters of all members within one of its domains at once, while inner tiers carry their
/// part: the slowest tier counts (rings through all members of a domain, one for each adapter). Measured
/// times of the group's tier go before.
double seconds(const System& system, Collective which, double bytes, const ProcessorGroup& group);

}  // namespace assay::model
