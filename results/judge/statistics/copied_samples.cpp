// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/statistics/copied_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <tuple>

#include "harness/core/statistics/log_gamma.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {
namespace {

/// Enough of them to distinguish two measurements: a long series need not be kept whole.
constexpr std::size_t most_kept = 256;

[[noreturn]] void refuse_copy(const std::string& one, const std::string& other, const std::string& where) {
  throw std::runtime_error(fmt::format(
      "runs {} and {} have the same samples{}: a copy is not a second measurement", one, other, where));
}

}  // namespace

std::uint64_t hash_of_samples(std::string_view point, std::span<const double> samples_s) {
  const std::string_view bytes(reinterpret_cast<const char*>(samples_s.data()), samples_s.size_bytes());
  const std::uint64_t of_samples = std::hash<std::string_view>()(bytes);
  return of_samples ^ (std::hash<std::string_view>()(point) * 0x9E3779B97F4A7C15U);
}

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
  const std::size_t first =
      first_.try_emplace(hash_of_samples(point, kept), static_cast<std::uint32_t>(run)).first->second;
  if (first == run) return;
  if (entropy_bits(std::move(kept)) >= bits_beyond_chance)
    refuse_copy(points_.at(first).first, run_id, " of " + point);
  ++shared_[{first, run}];
}

void CopiedSamples::refuse_copies() const {
  for (const auto& [runs, count] : shared_) {
    const auto& [one, points] = points_.at(runs.first);
    const auto& [other, points_of_other] = points_.at(runs.second);
    if (count == std::min(points, points_of_other)) refuse_copy(one, other, "");
  }
}

std::uint32_t CopiedJournals::source_of(const std::string& run_id, const std::string& host) {
  if (!sources_.empty() && sources_.back().run_id == run_id && sources_.back().host == host)
    return static_cast<std::uint32_t>(sources_.size() - 1);
  const auto [place, fresh] =
      numbers_.try_emplace({run_id, host}, static_cast<std::uint32_t>(sources_.size()));
  if (fresh) sources_.push_back({run_id, host});
  return place->second;
}

/// Forgets those whose hash does not repeat: all but a few, by a bit for each value of a part of it.
void CopiedJournals::keep_repeated() {
  constexpr std::uint64_t bits_for_each = 32;
  const std::uint64_t bits = std::bit_ceil(bits_for_each * (seen_.size() + 1));
  std::vector<bool> once(bits), again(bits);
  for (const Seen& one : seen_) {
    const std::uint64_t bit = one.hash % bits;
    again[bit] = again[bit] || once[bit];
    once[bit] = true;
  }
  std::erase_if(seen_, [&](const Seen& one) { return !again[one.hash % bits]; });
}

std::string CopiedJournals::line_of(const Source& one, const Source& other, std::size_t points) const {
  if (one.host == other.host)
    return fmt::format(
        "host {}: runs {} and {} have the same samples in {} points: a copy is not a second measurement",
        one.host, one.run_id, other.run_id, points);
  return fmt::format(
      "hosts {} and {} have the same samples in {} points of runs {} and {}: one machine under two names, or "
      "a copied journal",
      one.host, other.host, points, one.run_id, other.run_id);
}

std::size_t CopiedJournals::points_that_may_agree(
    const std::pair<std::uint32_t, std::uint32_t>& sources) const {
  return std::min(points_[sources.first], points_[sources.second]);
}

/// Decides by the bits of what agrees, less those of the choice of these points among all.
bool CopiedJournals::is_copy(const std::pair<std::uint32_t, std::uint32_t>& sources,
                             const Shared& shared) const {
  const auto all = static_cast<double>(std::max(points_that_may_agree(sources), shared.points));
  const auto agree = static_cast<double>(shared.points);
  const double choices =
      core::log_gamma(all + 1) - core::log_gamma(agree + 1) - core::log_gamma(all - agree + 1);
  return shared.bits - choices / std::numbers::ln2 >= bits_beyond_chance;
}

std::vector<std::string> CopiedJournals::finish() {
  keep_repeated();
  std::ranges::sort(seen_, {}, [](const Seen& one) { return std::tuple(one.hash, one.source, one.id); });
  std::map<std::pair<std::uint32_t, std::uint32_t>, Shared> shared;
  Statement read =
      store_.database().prepare("SELECT samples_s, time_s, lower_s, upper_s FROM points WHERE id = ?");
  for (std::size_t at = 1, first = 0; at < seen_.size(); ++at) {
    if (seen_[at].hash != seen_[first].hash) first = at;
    if (seen_[at].source == seen_[first].source) continue;
    const std::pair sources{seen_[first].source, seen_[at].source};
    Shared& two = shared[sources];
    ++two.points;
    const double enough = bits_beyond_chance + static_cast<double>(points_that_may_agree(sources));
    if (two.bits >= enough || !read.bind(seen_[at].id).step()) continue;
    std::vector<double> samples_s = read.numbers(0);
    if (samples_s.empty()) samples_s = {read.number(1), read.number(2), read.number(3)};
    two.bits += entropy_bits(std::move(samples_s));
  }
  std::vector<std::string> lines;
  for (const auto& [pair, two] : shared)
    if (is_copy(pair, two)) lines.push_back(line_of(sources_[pair.first], sources_[pair.second], two.points));
  seen_.clear(), points_.clear();
  return lines;
}

}  // namespace assay::results
