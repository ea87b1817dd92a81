// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Sources: [T] Thakur, Rabenseifner, Gropp 2005, "Optimization of Collective Communication Operations in
// MPICH"; [C] Chan, Heimlich, Purkayastha, van de Geijn 2007, "Collective communication: theory, practice,
// and experience"; [S] Sanders, Speck, Traeff 2009, "Two-tree algorithms for full bandwidth broadcast,
// reduction and scan". `direct` is one message to each peer, all at once through a switch; `in_network` is
// one way up and down a switch that adds or copies.
#include "model/fit/laws/rank_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::model::fit {
namespace {

double one(double) { return 1; }
double two(double) { return 2; }
double others(double n) { return n - 1; }
double others_twice(double n) { return 2 * (n - 1); }
double rounds(double n) { return std::ceil(std::log2(n)); }
double rounds_twice(double n) { return 2 * rounds(n); }
double half_the_rounds(double n) { return rounds(n) / 2; }
double rounds_and_others(double n) { return rounds(n) + n - 1; }
double but_own(double n) { return (n - 1) / n; }
double but_own_twice(double n) { return 2 * (n - 1) / n; }

constexpr std::array<RankShape, 6> of_all_reduce{{{"ring", others_twice, but_own_twice},  // C: bucket
                                                  {"halving_doubling", rounds_twice, but_own_twice},  // T 4.5
                                                  {"recursive_doubling", rounds, rounds},             // T 4.5
                                                  {"two_trees", rounds_twice, two},                   // S
                                                  {"direct", two, but_own_twice},
                                                  {"in_network", one, one}}};
constexpr std::array<RankShape, 3> of_all_gather{{{"ring", others, but_own},                // T 4.1
                                                  {"recursive_doubling", rounds, but_own},  // T 4.1
                                                  {"direct", one, but_own}}};
constexpr std::array<RankShape, 3> of_reduce_scatter{{{"ring", others, but_own},               // C: bucket
                                                      {"recursive_halving", rounds, but_own},  // T 4.3
                                                      {"direct", one, but_own}}};
constexpr std::array<RankShape, 3> of_all_to_all{{{"pairwise", others, but_own},       // T 4.4
                                                  {"bruck", rounds, half_the_rounds},  // T 4.4
                                                  {"direct", one, but_own}}};
constexpr std::array<RankShape, 4> of_broadcast{{{"binomial_tree", rounds, rounds},                   // T 4.2
                                                 {"scatter_ring", rounds_and_others, but_own_twice},  // T 4.2
                                                 {"pipeline", others, one},  // C: a chain of small parts
                                                 {"in_network", one, one}}};
constexpr std::array<RankShape, 4> of_reduce{{{"binomial_tree", rounds, rounds},                // T 4.6
                                              {"halving_gather", rounds_twice, but_own_twice},  // T 4.6
                                              {"pipeline", others, one},                        // C
                                              {"in_network", one, one}}};
constexpr std::array<RankShape, 3> of_gather{{{"binomial_tree", rounds, but_own},  // C
                                              {"linear", others, but_own},
                                              {"direct", one, but_own}}};

}  // namespace

std::span<const RankShape> rank_shapes(const std::string& operation) {
  if (operation == "all_reduce") return of_all_reduce;
  if (operation == "all_gather") return of_all_gather;
  if (operation == "reduce_scatter") return of_reduce_scatter;
  if (operation.starts_with("all_to_all")) return of_all_to_all;
  if (operation == "broadcast") return of_broadcast;
  if (operation == "reduce") return of_reduce;
  if (operation == "gather" || operation == "scatter") return of_gather;
  return {};
}

const RankShape* rank_shape(const std::string& operation, std::string_view name) {
  const std::span<const RankShape> shapes = rank_shapes(operation);
  const auto found = std::ranges::find(shapes, name, &RankShape::name);
  return found == shapes.end() ? nullptr : &*found;
}

}  // namespace assay::model::fit
