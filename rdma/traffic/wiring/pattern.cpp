// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/wiring/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "harness/core/error.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::rdma {

std::vector<std::vector<Pair>> tournament(int n) {
  const int seats = n + n % 2;  // an empty seat for odd n
  std::vector<int> circle(static_cast<std::size_t>(seats));
  std::iota(circle.begin(), circle.end(), 0);
  std::vector<std::vector<Pair>> rounds;
  for (int round = 0; round + 1 < seats; ++round) {
    std::vector<Pair>& pairs = rounds.emplace_back();
    for (std::size_t i = 0; i < circle.size() / 2; ++i) {
      const int a = circle[i], b = circle[circle.size() - 1 - i];
      if (a < n && b < n) pairs.emplace_back(std::min(a, b), std::max(a, b));
    }
    std::rotate(circle.begin() + 1, circle.end() - 1, circle.end());
  }
  return rounds;
}

std::vector<Pair> ring_shift(int n, std::int64_t shift) {
  const auto step = static_cast<int>(((shift % n) + n) % n);
  if (step == 0)
    core::usage_error(fmt::format("shift={}: with {} hosts each would send to itself", shift, n));
  std::vector<Pair> pairs;
  for (int i = 0; i < n; ++i) pairs.emplace_back(i, (i + step) % n);
  return pairs;
}

std::vector<Pair> permutation(int n, std::uint64_t seed) {
  // Sattolo's shuffle makes one cycle of all: no element stays in place. The generator and the reduction are
  // spelt out, so that a seed means the same everywhere.
  std::mt19937_64 generator(seed);
  std::vector<int> cycle(static_cast<std::size_t>(n));
  std::iota(cycle.begin(), cycle.end(), 0);
  for (std::size_t i = cycle.size() - 1; i > 0; --i) std::swap(cycle[i], cycle[generator() % i]);
  std::vector<Pair> pairs;
  for (int i = 0; i < n; ++i) pairs.emplace_back(i, cycle[static_cast<std::size_t>(i)]);
  return pairs;
}

std::vector<Pair> bisection(int n) {
  std::vector<Pair> pairs;
  for (int i = 0; i < n / 2; ++i) {
    pairs.emplace_back(i, i + n / 2);
    pairs.emplace_back(i + n / 2, i);
  }
  return pairs;
}

std::vector<Pair> incast(int n, int senders) {
  const int all = senders == 0 ? n - 1 : senders;
  if (all >= n)
    core::usage_error(fmt::format("senders={}: {} hosts have {} besides the receiver", senders, n, n - 1));
  std::vector<Pair> pairs;
  for (int i = 1; i <= all; ++i) pairs.emplace_back(i, 0);
  return pairs;
}

std::vector<std::size_t> suspects(const std::vector<double>& values, double share) {
  std::vector<std::size_t> found;
  if (values.empty()) return found;
  const double median = core::quantile_of(values, 0.5);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] < share * median) found.push_back(i);
  return found;
}

}  // namespace assay::rdma
