// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/level.hpp"

#include <array>
#include <map>
#include <utility>

#include "harness/core/statistics/order_statistic.hpp"

namespace assay::model::fabric::locate {

namespace {

constexpr std::size_t enough_of_round = 64, enough_of_hops = 16;

template <class Key>
class Medians {
 public:
  void add(const Key& key, double value) { values_[key].push_back(value); }
  void solve() {
    for (auto& [key, values] : values_) medians_[key] = {values.size(), core::median_in_place(values)};
  }
  /// Null where there are fewer than `enough`.
  const double* of(const Key& key, std::size_t enough) const {
    const auto& [count, median] = medians_.at(key);
    return count < enough ? nullptr : &median;
  }

 private:
  std::map<Key, std::vector<double>> values_;
  std::map<Key, std::pair<std::size_t, double>> medians_;
};

}  // namespace

std::vector<double> levels(const Incidence& incidence, std::span<const Measurement> measurements,
                           std::span<const double> losses) {
  Medians<std::array<std::uint32_t, 3>> of_rounds;
  Medians<std::array<std::uint32_t, 2>> of_hops;
  Medians<std::uint32_t> of_kinds;
  for (std::size_t at = 0; at < losses.size(); ++at) {
    const std::uint32_t kind = measurements[at].kind, hops = incidence.hops()[at];
    of_rounds.add({kind, measurements[at].round, hops}, losses[at]);
    of_hops.add({kind, hops}, losses[at]);
    of_kinds.add(kind, losses[at]);
  }
  of_rounds.solve();
  of_hops.solve();
  of_kinds.solve();
  std::vector<double> levels;
  for (std::size_t at = 0; at < losses.size(); ++at) {
    const std::uint32_t kind = measurements[at].kind, hops = incidence.hops()[at];
    const double* level = of_rounds.of({kind, measurements[at].round, hops}, enough_of_round);
    if (level == nullptr) level = of_hops.of({kind, hops}, enough_of_hops);
    if (level == nullptr) level = of_kinds.of(kind, 0);
    levels.push_back(*level);
  }
  return levels;
}

}  // namespace assay::model::fabric::locate
