// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/copied_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace assay::results {
namespace {

/// Enough of them to tell two measurements apart: a copy of a long series need not be kept whole.
constexpr std::size_t most_kept = 256;

[[noreturn]] void refuse_copy(const std::string& one, const std::string& other, const std::string& where) {
  throw std::runtime_error(fmt::format(
      "runs {} and {} have the same samples{}: a copy is no second measurement", one, other, where));
}

}  // namespace

double entropy_bits(std::vector<double> samples) {
  std::ranges::sort(samples);
  const auto n = static_cast<double>(samples.size());
  double bits = 0;
  for (auto at = samples.begin(); at != samples.end();) {
    const auto next = std::upper_bound(at, samples.end(), *at);
    const auto count = static_cast<double>(next - at);
    bits -= count * std::log2(count / n);
    at = next;
  }
  return bits;
}

void CopiedSamples::add(const std::string& point, std::size_t run, const std::string& run_id,
                        std::span<const double> samples_s) {
  if (samples_s.empty()) return;
  std::vector<double> kept(samples_s.begin(), samples_s.begin() + static_cast<std::ptrdiff_t>(
                                                                      std::min(samples_s.size(), most_kept)));
  auto& [id, count] = points_[run];
  id = run_id;
  ++count;
  const auto [place, fresh] = first_.try_emplace({point, kept}, run, run_id);
  if (fresh || place->second.run == run) return;
  if (entropy_bits(std::move(kept)) >= bits_beyond_chance)
    refuse_copy(place->second.run_id, run_id, " of " + point);
  ++shared_[{place->second.run, run}];
}

void CopiedSamples::refuse_copies() const {
  for (const auto& [runs, count] : shared_) {
    const auto& [one, points] = points_.at(runs.first);
    const auto& [other, points_of_other] = points_.at(runs.second);
    if (count == std::min(points, points_of_other)) refuse_copy(one, other, "");
  }
}

}  // namespace assay::results
