// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The pairs to measure next so that the slow element is known: greedily those whose result is expected to
// reduce the entropy of the posterior most (Lindley 1956, "On a measure of the information provided by an
// experiment").
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/fabric/locate/locate.hpp"

namespace assay::model::fabric::locate {

struct NextPair {
  NodeId source = 0, destination = 0;
  std::optional<QueuePairPorts> ports = std::nullopt;  // of its one queue pair, where paths can be computed
  double bits = 0;  // entropy that it is expected to remove after the pairs before it
};

struct NextPairSettings {
  std::size_t pairs = 4;
  std::size_t tried = 512;   // pairs drawn around the alternatives
  bool ports_known = true;   // the hash is known, and a queue pair may be chosen by its numbers
  double least_bits = 0.02;  // a pair that gives less is not worth its time
  std::uint64_t seed = 1;
};

/// One queue pair each, measured alone. The suspect's alternatives are single elements: each member of a
/// class has an equal part of its probability. Empty where no pair distinguishes what is left, or nothing is.
std::vector<NextPair> next_pairs(const Router& router, const Elements& elements, const Incidence& incidence,
                                 const Suspect& suspect, const Noise& noise,
                                 const NextPairSettings& settings = {});

}  // namespace assay::model::fabric::locate
