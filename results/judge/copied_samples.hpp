// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether two runs are one under two names: no two measurements give the same samples, digit by digit.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace assay::results {

/// Shannon's, of the values taken as independent: n samples agree by chance once in 2 to this power.
double entropy_bits(std::vector<double> samples);
inline constexpr double bits_beyond_chance = 64;

class CopiedSamples {
 public:
  /// Of one repetition in run number `run`. Throws std::runtime_error with one line where another run has the
  /// same samples of this point, and chance cannot be why.
  void add(const std::string& point, std::size_t run, const std::string& run_id,
           std::span<const double> samples_s);
  /// Throws likewise where all samples of a run are those of another, be they few.
  void refuse_copies() const;

 private:
  struct Seen {
    std::size_t run = 0;
    std::string run_id;
  };
  std::map<std::pair<std::string, std::vector<double>>, Seen> first_;  // point, samples
  std::map<std::pair<std::size_t, std::size_t>, std::size_t>
      shared_;  // points that run has in common with run
  std::map<std::size_t, std::pair<std::string, std::size_t>> points_;  // run id and points, by run
};

}  // namespace assay::results
