// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Synthetic fleets with known faults, to say what a detector sees, and the kinds of noise and of faults of
// the report card. Every number in them is simulated.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "results/judge/fleet/fleet_judgement.hpp"

namespace assay::results {

enum class NoiseShape { normal, student_t, skewed };

struct FleetShape {
  int nodes = 3000, gpus_per_node = 8, nodes_per_pod = 32, metrics = 40;
  int products = 0;     // the first metrics, all of gemm; 0: the groups take turns
  double noise = 0.01;  // CV of one value
  NoiseShape noise_shape = NoiseShape::student_t;
  double tail_degrees = 5;  // of Student's t, scaled to that CV: heavier than normal
  double skew =
      0.9;  // of skewed noise: the standard deviation of its logarithm; slow values are the far ones
  double silicon = 0.02;  // spread of GPUs over compute metrics
  double node = 0.003, rack = 0.003;
  double time_of_day = 0.015;  // amplitude
  double unequal = 0;          // deviation of the logarithm of a unit's own noise over the usual one
  double wandering = 0;        // of a node's effect, which keeps nine tenths of it from round to round
  double slower_each_day = 0;  // of all, from round to round
  double disturbed = 0;        // share of the values that are 5 % slow
  double missed = 0;  // share of its later rounds that a sound node misses; a faulty one half of them
};

struct PlantedLoss {
  std::string level, place;
  std::size_t metric = 0;
  double loss = 0;           // relative
  bool whole_group = false;  // all metrics of the metric's group
  int every = 1;             // of every third round, the second, fifth ...; 1: of all
};

class SyntheticFleet {
 public:
  SyntheticFleet(const FleetShape& shape, std::uint64_t seed);

  /// Lowers one metric at a random place of each level, at most `each` times for each loss; no place twice,
  /// and a fifth of the places at least stay sound.
  void plant(const std::vector<double>& losses, int each);

  /// One loss more: of a metric of this group, or of any where it is empty, at a place that has none yet.
  const PlantedLoss& plant_one(const std::string& level, double loss, const std::string& group,
                               bool whole_group, int every = 1);

  const Fleet& fleet() const { return fleet_; }
  const std::vector<PlantedLoss>& planted() const { return planted_; }
  /// Measures the same units at another hour: what lasts and what was lost, new noise, and a day that is as
  /// much slower or faster for all. NaN where a node misses the round.
  Fleet measure_again();

 private:
  void place_units();
  void draw_lasting();
  void draw_values(Fleet& fleet, double hour, double day);
  double noise();
  void draw_nodes();
  void leave_out_missed(Fleet& fleet);
  std::vector<std::string> places_of(const std::string& level) const;
  std::vector<std::size_t> metrics_of(const PlantedLoss& loss) const;
  void lower(const PlantedLoss& loss, Fleet& fleet) const;
  void lower(const PlantedLoss& loss);

  FleetShape shape_;
  std::mt19937_64 random_;
  Fleet fleet_;
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> members_;  // by level and place
  std::vector<PlantedLoss> planted_;
  std::set<std::size_t> lowered_;  // units of places that plant_one() chose
  std::map<std::pair<std::size_t, std::size_t>, double>
      losses_;                                          // of all rounds, by metric and unit, logarithm
  std::map<std::string, std::vector<double>> lasting_;  // by group, of every unit
  std::vector<double> own_noise_, wandered_;            // of units and of nodes; empty: none
  int round_ = 0;
};

struct NoiseModel {
  const char* name;
  FleetShape shape;
};

/// Nodes of 8, switches of 8 nodes, five metrics of which three are products.
std::vector<NoiseModel> noise_models(int nodes);

struct FaultKind {
  const char* name;
  const char* level;
  double loss;
  bool whole_group;  // all products
  int every = 1;     // as in PlantedLoss
};
/// Whether the judgement names the loss at its level and place, in any metric; a loss of some rounds also as
/// open by them.
bool is_found(const FleetJudgement& judgement, const PlantedLoss& loss);

/// Found of planted.
struct Found {
  int found = 0, of = 0;
  void add(bool one) { found += one ? 1 : 0, ++of; }
  /// "-" of none.
  std::string percent() const;
};

inline constexpr std::array fault_kinds{
    FaultKind{"GPU 3 %, one metric", "gpu", 0.03, false},
    FaultKind{"GPU 5 %, one metric", "gpu", 0.05, false},
    FaultKind{"GPU 5 %, all products", "gpu", 0.05, true},
    FaultKind{"GPU 10 %, all products", "gpu", 0.10, true},
    FaultKind{"GPU 5 %, all products, every third round", "gpu", 0.05, true, 3},
    FaultKind{"GPU 10 %, one metric, every third round", "gpu", 0.10, false, 3},
    FaultKind{"node 3 %, one metric", "host", 0.03, false},
    FaultKind{"node 5 %, all products", "host", 0.05, true},
    FaultKind{"switch 2 %, one metric", "switch", 0.02, false},
    FaultKind{"rail 2 %, one metric", "rail", 0.02, false},
};

}  // namespace assay::results
