// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/rank_shift.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "harness/core/statistics/ordered_bits.hpp"
#include "harness/core/statistics/student_t.hpp"

namespace assay::core {
namespace {

constexpr int largest_exact_sample = 50;

/// How many of the subsets of size m of m + k ranks have each U: subsets are built rank by rank, and taking
/// rank e as the j-th adds e - j.
std::vector<double> rank_sum_counts(int m, int k) {
  const auto width = static_cast<std::size_t>(m) * static_cast<std::size_t>(k) + 1;
  std::vector<std::vector<double>> counts(static_cast<std::size_t>(m + 1), std::vector<double>(width));
  counts[0][0] = 1;
  for (int rank = 1; rank <= m + k; ++rank)
    for (int taken = std::min(m, rank); taken >= 1; --taken) {
      const auto added = static_cast<std::size_t>(rank - taken), j = static_cast<std::size_t>(taken);
      for (std::size_t u = added; u < width; ++u) counts[j][u] += counts[j - 1][u - added];
    }
  return counts.back();
}

int exact_rank_sum_critical(int m, int k, double alpha) {
  const std::vector<double> counts = rank_sum_counts(m, k);
  double all = 0, below = 0;
  for (const double count : counts) all += count;
  int critical = -1;
  for (const double count : counts) {
    below += count;
    if (below > alpha * all * (1 + 1e-12)) break;
    ++critical;
  }
  return critical;
}

int approximate_rank_sum_critical(double m, double k, double alpha) {
  const double z = student_t_quantile(1 - alpha, 1e6);
  return static_cast<int>(std::floor(m * k / 2 - 0.5 - z * std::sqrt(m * k * (m + k + 1) / 12)));
}

// Two fleets have millions of differences: they are counted, not held.
constexpr std::size_t most_differences_held = 4096;

/// Counts the differences of b against a, both sorted, that are at most `most`: rounding keeps the order, so
/// that differences grow along b and shrink along a.
std::size_t differences_up_to(double most, std::span<const double> a, std::span<const double> b) {
  std::size_t count = 0, in_b = 0;
  for (const double of_a : a) {
    while (in_b < b.size() && b[in_b] - of_a <= most) ++in_b;
    count += in_b;
  }
  return count;
}

/// The difference that so many are smaller than or equal to, besides itself.
double difference_of_rank(std::size_t rank, std::span<const double> a, std::span<const double> b) {
  std::uint64_t first = ordered_bits(b.front() - a.back()), last = ordered_bits(b.back() - a.front());
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (differences_up_to(number_with(middle), a, b) > rank)
      last = middle;
    else
      first = middle + 1;
  }
  return number_with(first) + 0.0;  // of -0 and 0, 0
}

ShiftInterval counted_interval(std::span<const double> a, std::span<const double> b, std::size_t cut) {
  std::vector<double> sorted_a(a.begin(), a.end()), sorted_b(b.begin(), b.end());
  std::ranges::sort(sorted_a);
  std::ranges::sort(sorted_b);
  return {difference_of_rank(cut, sorted_a, sorted_b),
          difference_of_rank(a.size() * b.size() - 1 - cut, sorted_a, sorted_b)};
}

}  // namespace

int rank_sum_critical(int size_of_a, int size_of_b, double alpha) {
  const auto [fewer, more] = std::minmax(size_of_a, size_of_b);
  if (fewer < 1) return -1;
  if (more > largest_exact_sample) return std::max(-1, approximate_rank_sum_critical(fewer, more, alpha));
  thread_local std::map<std::tuple<int, int, double>, int> known
      [[gnu::tls_model("initial-exec")]];  // thousands of points have the same sizes
  const auto [place, fresh] = known.try_emplace({fewer, more, alpha}, 0);
  if (fresh) place->second = exact_rank_sum_critical(fewer, more, alpha);
  return place->second;
}

std::optional<ShiftInterval> rank_shift_interval(std::span<const double> a, std::span<const double> b,
                                                 double alpha) {
  const int critical = rank_sum_critical(static_cast<int>(a.size()), static_cast<int>(b.size()), alpha);
  if (critical < 0) return std::nullopt;
  const auto cut = static_cast<std::size_t>(critical);
  if (a.size() * b.size() > most_differences_held) return counted_interval(a, b, cut);
  std::vector<double> differences;
  differences.reserve(a.size() * b.size());
  for (const double of_a : a)
    for (const double of_b : b) differences.push_back(of_b - of_a);
  std::ranges::sort(differences);
  return ShiftInterval{differences[cut], differences[differences.size() - 1 - cut]};
}

}  // namespace assay::core
