// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Searches for the largest sound set on pretended fleets, with the ways of other suites: how many tests
// each takes, and how often its set is sound and the largest. Prints Markdown.
// Usage: assay-sound-sets [FLEETS] [NODES] [SEED]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "harness/front/campaign/tests/synthetic/faulty_fleet.hpp"
#include "harness/front/campaign/tests/synthetic/other_ways.hpp"

namespace {

using namespace assay::campaign;

using Way = std::function<std::vector<int>(int nodes, const GroupTest& test)>;

std::vector<int> set_of_assay(int nodes, const GroupTest& test) {
  return largest_sound_set(nodes, {}, test).nodes;
}

struct Tally {
  double tests = 0, sound = 0, largest = 0;
  int most_tests = 0;
};

Tally tally_of(const Way& way, const Planted& planted, int fleets, std::uint64_t seed) {
  Tally tally;
  for (int number = 0; number < fleets; ++number) {
    FaultyFleet fleet(planted, seed + static_cast<std::uint64_t>(number));
    const std::vector<int> set = way(planted.nodes, fleet.test());
    tally.tests += fleet.tests();
    tally.most_tests = std::max(tally.most_tests, fleet.tests());
    tally.sound += fleet.is_sound(set) && set.size() > 1 ? 1 : 0;
    tally.largest += fleet.is_largest(set) ? 1 : 0;
  }
  return tally;
}

std::string cells(const Tally& tally, int fleets) {
  return fmt::format(" {:.0f} ({}) | {:.1f} | {:.1f} |", tally.tests / fleets, tally.most_tests,
                     100 * tally.sound / fleets, 100 * tally.largest / fleets);
}

std::string name_of(const Planted& planted) {
  if (planted.bad_nodes + planted.bad_pairs == 0) return "none";
  std::string name;
  if (planted.bad_nodes > 0) name = fmt::format("{} nodes", planted.bad_nodes);
  if (planted.first_is_bad) name += ", one the reference";
  if (planted.bad_pairs > 0) name += fmt::format("{}{} pairs", name.empty() ? "" : ", ", planted.bad_pairs);
  return name;
}

std::vector<Planted> fleets_of(int nodes, double fails_in) {
  std::vector<Planted> all;
  if (fails_in == 1) all.push_back({.nodes = nodes});
  for (const int count : {1, 2, 3, 4, 5})
    all.push_back({.nodes = nodes, .bad_nodes = count, .fails_in = fails_in});
  for (const int count : {1, 2, 3, 4, 5})
    all.push_back({.nodes = nodes, .bad_pairs = count, .fails_in = fails_in});
  all.push_back({.nodes = nodes, .bad_nodes = 3, .bad_pairs = 2, .fails_in = fails_in});
  all.push_back({.nodes = nodes, .bad_nodes = 1, .fails_in = fails_in, .first_is_bad = true});
  return all;
}

}  // namespace

int main(int count, char** words) {
  const int fleets = count > 1 ? std::atoi(words[1]) : 1000, nodes = count > 2 ? std::atoi(words[2]) : 256;
  const std::uint64_t seed = count > 3 ? std::strtoull(words[3], nullptr, 10) : 20261202;
  const std::vector<Way> ways{set_of_assay, set_by_reference, set_by_halves};
  fmt::print(
      "{} fleets of {} nodes a row, seed {}; simulated. Tests: mean (most). Sound, largest: per cent of the\n"
      "sets. 4 log2 n is {:.0f}; assay's last {} tests prove its set.\n\n"
      "| defects | fail in | assay: tests | sound | largest | reference, one by one: tests | sound | largest "
      "|"
      " halves: tests | sound | largest |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
      fleets, nodes, seed, 4 * std::log2(nodes), passes_needed({}));
  for (const double fails_in : {1.0, 0.75, 0.5})
    for (const Planted& planted : fleets_of(nodes, fails_in)) {
      fmt::print("| {} | {:g} |", name_of(planted), fails_in);
      for (const Way& way : ways) fmt::print("{}", cells(tally_of(way, planted, fleets, seed), fleets));
      fmt::print("\n");
    }
}
