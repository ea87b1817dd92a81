// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/drawn_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/core/mix.hpp"

namespace assay::model::fabric {

namespace {

/// In (0, 1).
double uniform_of(std::uint64_t seed, std::uint64_t number) {
  const std::uint64_t mixed = core::mix64(core::mix64(seed) ^ number);
  return (static_cast<double>(mixed >> 11U) + 0.5) * 0x1p-53;
}

}  // namespace

BlockBytes exponential_blocks(PatternSize size, std::uint64_t seed) {
  const double mean = static_cast<double>(size.bytes) / size.ranks;
  return [=](int from, int to) {
    const std::uint64_t pair =
        (std::uint64_t{static_cast<std::uint32_t>(from)} << 32U) | static_cast<std::uint32_t>(to);
    return static_cast<std::uint64_t>(std::llround(-mean * std::log(uniform_of(seed, pair))));
  };
}

BlockBytes zipf_blocks(PatternSize size, std::uint64_t seed) {
  std::vector<std::uint32_t> by_popularity(static_cast<std::size_t>(size.ranks));
  std::iota(by_popularity.begin(), by_popularity.end(), 0U);
  std::ranges::sort(by_popularity, {}, [&](std::uint32_t rank) { return uniform_of(seed, rank); });
  double harmonic = 0;
  for (int place = 1; place <= size.ranks; ++place) harmonic += 1.0 / place;
  std::vector<std::uint64_t> bytes(by_popularity.size());
  for (std::size_t place = 0; place < bytes.size(); ++place)
    bytes[by_popularity[place]] = static_cast<std::uint64_t>(
        std::llround(static_cast<double>(size.bytes) / harmonic / static_cast<double>(place + 1)));
  return [of_receiver = std::move(bytes)](int, int to) { return of_receiver[static_cast<std::size_t>(to)]; };
}

}  // namespace assay::model::fabric
