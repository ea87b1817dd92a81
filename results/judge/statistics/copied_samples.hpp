// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether what two runs, or two hosts, measured is one measurement under two names: no two measurements give
// the same samples, digit by digit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "results/store/store.hpp"

namespace assay::results {

/// Shannon's entropy of the values, taken as independent: n samples agree by chance once in 2 to this power.
double entropy_bits(std::vector<double> samples);
inline constexpr double bits_beyond_chance = 64;

/// The samples, or where none were kept their summary: the median with its bounds, or the one number that
/// another tool printed.
std::vector<double> samples_or_summary(std::vector<double> samples_s, const std::array<double, 3>& summary);

/// Numbers with all their digits, or rounded ones that are equal by chance.
enum class SamplesAre { measured, printed };

/// The samples of runs that are compared, which must not be copies.
class CopiedSamples {
 public:
  /// Adds the samples of one repetition in run number `run`. Throws std::runtime_error with one line where
  /// another run has the same samples of this point, and chance cannot be why.
  void add(const std::string& point, std::size_t run, const std::string& run_id,
           std::span<const double> samples_s, SamplesAre samples_are = SamplesAre::measured);
  /// Throws likewise where all samples of a run are those of another, be they few; of printed ones there must
  /// be many.
  void refuse_copies() const;

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> first_;  // run, by hash_of_samples()
  struct Shared {
    std::size_t points = 0;
    double bits = 0;
  };
  std::map<std::pair<std::size_t, std::size_t>, Shared> shared_;       // by two runs
  std::map<std::size_t, std::pair<std::string, std::size_t>> points_;  // run id and points, by run
};

/// The hash of a point (case and key) and its samples, in the order taken: equal for copies.
std::uint64_t hash_of_samples(std::string_view point, std::span<const double> samples_s);

/// Finds copies among all runs and hosts of a fleet, also on machines that report no serial numbers.
class CopiedJournals {
 public:
  explicit CopiedJournals(const Store& store) : store_(store) {}

  /// The number of a host in a run.
  std::uint32_t source_of(const std::string& run_id, const std::string& host);
  /// Reserves memory for about this many points.
  void expect(std::size_t points) { seen_.reserve(points); }
  /// `hash`: hash_of_samples() of one of its points; `id`: of that point's row in the store.
  void add(std::uint32_t source, std::uint64_t hash, std::int64_t id) {
    seen_.push_back({hash, id, source});
    if (source >= points_.size()) points_.resize(source + 1, 0);
    ++points_[source];
  }
  /// One line for each two runs that share samples of more points than chance explains, where any of all
  /// their points might agree. Forgets what was added.
  std::vector<std::string> finish();

 private:
  struct Source {
    std::string run_id, host;
  };
  struct Seen {
    std::uint64_t hash = 0;
    std::int64_t id = 0;
    std::uint32_t source = 0;
  };
  struct Shared {
    std::size_t points = 0;
    double bits = 0;  // all of them, or enough for a copy however many points agree
  };
  void keep_repeated();
  std::size_t points_that_may_agree(const std::pair<std::uint32_t, std::uint32_t>& sources) const;
  bool is_copy(const std::pair<std::uint32_t, std::uint32_t>& sources, const Shared& shared) const;
  std::string line_of(const Source& one, const Source& other, std::size_t points) const;

  const Store& store_;
  std::vector<Source> sources_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> numbers_;
  std::vector<Seen> seen_;
  std::vector<std::size_t> points_;  // by source
};

}  // namespace assay::results
