// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Fabric tomography: the least set of elements whose slowness explains the slow measurements.
//
// A sparse regression on the routing matrix, without negative losses, by likelihood: a forward step adds the
// element with the largest gain (evidence.hpp) where chance would give so much with probability `false_names`
// only (chance.hpp); a backward step refits all losses, drops what is needed no more and tries to replace
// each (orthogonal matching pursuit: Pati, Rezaiifar and Krishnaprasad 1993; tomography of binary links:
// Duffield 2006, "Network tomography of binary network performance characteristics"). Each element that is
// left gets a posterior over those that could take its place: equal prior probability, a prior of the loss
// flat in its logarithm, Laplace's approximation of the integral over it.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/locate/chance.hpp"
#include "model/fabric/locate/evidence.hpp"

namespace assay::model::fabric::locate {

struct LocateSettings {
  double false_names = 0.001;  // probability of naming anything in a sound fabric
  double least_loss = 0.01;    // share of capacity; less is not named
  std::size_t most = 16;       // elements named
  double least_noise = 0.002;  // relative: no measurement is more repeatable
  int deals = 64;              // random deals of residuals
  std::uint64_t seed = 1;
};

/// A class of elements that these data cannot distinguish.
struct Alternative {
  std::size_t of_class = 0;
  double probability = 0;  // of all that could take the place
  double factor = 1;       // of its capacity
};

struct Suspect {
  Alternative named;
  double factor_low = 0, factor_high = 1;  // 95 % interval by the likelihood ratio
  double gain = 0;                         // ln likelihood, over all others being slow alone
  double chance = 1;                       // probability that noise gives any element as much
  std::vector<Alternative> others;         // by falling probability, down to 1 in 1,000
};

/// The likeliest slowing of a measurement by a suspect, as a loss (response.hpp); 0: none slows it.
struct Explanation {
  std::size_t suspect = 0;
  double fall = 0;
};

struct Location {
  std::vector<Suspect> suspects;       // by falling gain: the first explains most
  std::vector<Explanation> explained;  // of each measurement, by the suspect that slows it most
  Noise noise;
  double fit = 0;        // ln likelihood of all measurements by the suspects, to compare hypotheses of paths
  double level = 1;      // median of rate over expectation
  double threshold = 0;  // the gain that chance exceeds with probability `false_names`
  double next_gain = 0;  // of the best element that is not named, and what chance gives
  Chance chance;
  std::vector<Slow> slow() const;
};

/// `measurements`: those of the incidence; at least one. Throws a usage Error where there are none.
Location locate(const Incidence& incidence, std::span<const Measurement> measurements,
                const LocateSettings& settings = {});

}  // namespace assay::model::fabric::locate
