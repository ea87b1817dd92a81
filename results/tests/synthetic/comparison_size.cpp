// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Prints how often a comparison at a margin of 3 % says equivalent, by noise, true ratio and number of runs,
// how many runs it takes to say so of what is equal, and what the order of the runs does under a drift: the
// tables of docs/evidence/data/judges-comparison.txt.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "harness/core/statistics/equivalence.hpp"
#include "results/tests/synthetic/comparison_noise.hpp"

namespace {

using namespace assay;

constexpr double margin = 0.03;

void print_size(int trials, std::uint64_t seed) {
  const std::vector<double> ratios{1, 1.01, 1.029, 1 + margin, 1 / (1 + margin), 1.031, 1.05};
  fmt::print("| noise | runs | 0 % | 1 % | 2.9 % | **3.0 %** | **-3.0 %** | 3.1 % | 5 % |\n|---|");
  for (std::size_t column = 0; column <= ratios.size(); ++column) fmt::print("---|");
  fmt::print("\n");
  for (const auto& noise : results::synthetic::comparison_noises())
    for (const std::int64_t runs : {3, 5, 10}) {
      fmt::print("| {} | {} |", noise.name, runs);
      for (const double share :
           results::synthetic::share_equivalent(noise, runs, margin, ratios, trials, seed++))
        fmt::print(" {:.1f} |", 100 * share);
      fmt::print("\n");
    }
}

void print_power(int trials, std::uint64_t seed) {
  const std::vector<double> margins{0.01, 0.02, 0.03, 0.05, 0.10};
  fmt::print("\n| runs differ by | difference |");
  for (const double of : margins) fmt::print(" margin {:g} % |", 100 * of);
  fmt::print("\n|---|---|");
  for (std::size_t column = 0; column < margins.size(); ++column) fmt::print("---|");
  for (const double spread : {0.0025, 0.005, 0.01, 0.02, 0.03})
    for (const double difference : {0.0, 0.3}) {  // as a share of the margin
      fmt::print("\n| {:g} % | {} |", 100 * spread, difference > 0 ? "a third of the margin" : "none");
      for (const double of : margins) {
        const auto runs = core::runs_needed(difference * std::log1p(of), spread, of);
        if (!runs || *runs > 100) {
          fmt::print(" > 100 |");
          continue;
        }
        const results::synthetic::ComparisonNoise noise{
            .name = "", .repetitions = 1, .repetition_spread = 0, .run_spread = spread};
        const std::vector<double> ratios{std::pow(1 + of, difference)};
        fmt::print(" {} ({:.0f} %) |", *runs,
                   100 * results::synthetic::share_equivalent(noise, *runs, of, ratios, trials, seed++)[0]);
      }
    }
  fmt::print("\n");
}

/// The share of comparisons that are equivalent: normal runs of 0.5 %, side b slower by `loss`, and a drift
/// that makes up for `hidden` of it from the middle of side a to that of b were all of a first.
double share_under_drift(std::int64_t runs, bool alternating, double loss, double hidden, int trials,
                         std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, 0.005);
  const double difference = std::log1p(loss), slope = -hidden * difference / static_cast<double>(runs);
  int found = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> a, b, order_a, order_b;
    for (std::int64_t run = 0; run < runs; ++run) {
      order_a.push_back(static_cast<double>(alternating ? 2 * run : run));
      order_b.push_back(static_cast<double>(alternating ? 2 * run + 1 : runs + run));
      a.push_back(slope * order_a.back() + noise(random));
      b.push_back(difference + slope * order_b.back() + noise(random));
    }
    found +=
        core::judge_equivalence(a, b, margin, {order_a, order_b}).verdict == core::Equivalence::equivalent
            ? 1
            : 0;
  }
  return static_cast<double>(found) / trials;
}

void print_drift(int trials, std::uint64_t seed) {
  fmt::print("\n| order of the runs | runs | no loss, no drift | 3 % hidden by a drift | 5 % | 10 % |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  for (const bool alternating : {true, false})
    for (const std::int64_t runs : {3, 5, 10}) {
      fmt::print("| {} | {} | {:.1f} |", alternating ? "alternating" : "one side after the other", runs,
                 100 * share_under_drift(runs, alternating, 0, 0, trials, seed++));
      for (const double loss : {0.03, 0.05, 0.1})
        fmt::print(" {:.1f} |", 100 * share_under_drift(runs, alternating, loss, 1, trials, seed++));
      fmt::print("\n");
    }
}

}  // namespace

/// [trials [seed]]
int main(int count, char** words) {
  const int trials = count > 1 ? std::atoi(words[1]) : 20'000;
  const std::uint64_t seed = count > 2 ? std::strtoull(words[2], nullptr, 10) : 20261124;
  print_size(trials, seed);
  print_power(std::max(200, trials / 10), seed + 1'000);
  print_drift(trials, seed + 2'000);
  return 0;
}
