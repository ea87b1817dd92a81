// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Series of one metric at every place of a level, run after run, in one block of memory: a fleet has a
// million of these series.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace assay::results {

/// The values of one place, in the order of its runs. Views into a SeriesRow.
struct PlaceSeries {
  std::span<const double> values;
  std::span<const double> widened;  // by how much the centre of that round adds to the noise, from 1
  std::span<const std::uint32_t> rounds = {};  // their numbers

  /// Median of all or of the last runs; NaN without any. Below 0 is slower.
  double standing(std::size_t from = 0) const;
};

/// One run of all places.
struct RoundOfPlaces {
  std::span<const double> values;              // by place; NaN where not measured
  std::function<double(std::size_t)> widened;  // of a place
};

/// The series of all places.
class SeriesRow {
 public:
  explicit SeriesRow(std::span<const RoundOfPlaces> rounds);

  std::size_t size() const { return begins_.size() - 1; }
  std::size_t runs(std::size_t place) const { return begins_[place + 1] - begins_[place]; }
  PlaceSeries operator[](std::size_t place) const;
  /// PlaceSeries::standing() over all runs of the place.
  double standing(std::size_t place) const;
  /// The standings of all places that were measured, in order of size.
  std::span<const double> standings() const;
  /// The number of rounds up to the last in which any place was measured.
  std::size_t rounds() const { return sorted_.size(); }
  /// Whether at least half of the places were measured in it: a round of a few shows nothing of the noise of
  /// all.
  bool is_full(std::size_t round) const { return 2 * sorted_[round].size() >= standings().size(); }
  /// The values of all places in this round, in order of size.
  std::span<const double> of_round(std::size_t round) const { return sorted_[round]; }

 private:
  void put_in_order(std::span<const RoundOfPlaces> rounds);
  void find_standings();

  std::vector<std::uint32_t> begins_;  // of each place, and the end
  std::vector<double> values_, widened_;
  std::vector<std::uint32_t> rounds_;
  std::vector<std::vector<double>> sorted_;                // by round
  std::vector<double> standings_, sorted_standings_ = {};  // where there are several rounds
};

}  // namespace assay::results
