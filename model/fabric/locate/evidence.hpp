// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How much better the measurements fit when one more element is slow: the logarithm of a likelihood ratio.
//
// Measurement m has the loss d_m over its level, d_m = max over slow elements of max(0, x_e - slack_me) +
// noise, since the slowest link of a path decides. Its density is a mixture where it is unknown what it
// crosses. The gain of an element with loss x is the sum over the measurements that may cross it of
// ln p(d_m | slow elements, and this one) - ln p(d_m | slow elements).
#pragma once

#include <span>
#include <vector>

#include "model/fabric/locate/noise.hpp"
#include "model/fabric/locate/paths/incidence.hpp"

namespace assay::model::fabric::locate {

/// A class of elements that cannot be distinguished, and its loss.
struct Slow {
  std::size_t of_class = 0;
  double loss = 0;
};

struct Gain {
  double gain = 0, loss = 0;
};

class Evidence {
 public:
  /// `incidence` must outlive it. `losses`: of each measurement, over its level. `scales`: each measurement's
  /// noise in units of noise.scale.
  Evidence(const Incidence& incidence, std::vector<double> losses, std::vector<double> scales, Noise noise);

  void set_slow(std::span<const Slow> slow);
  /// Replaces the losses by others of as many measurements; what is slow stays.
  void set_losses(std::span<const double> losses);
  /// The gain of this class with this loss, in addition to what is slow.
  double gain(std::size_t of_class, double loss) const;
  /// The largest over a grid of losses, of every class: losses rise by half from half of the noise on.
  std::vector<Gain> sweep();
  /// The maximum near a loss of the grid, to 0.1 %.
  Gain refined(std::size_t of_class, Gain near) const;
  /// The part of each measurement's loss that no slow element explains, in units of its noise: the loss less
  /// its likeliest fall.
  std::vector<double> residuals() const;
  /// The fall of each measurement by what is slow, the likeliest one.
  std::vector<double> falls() const;

  /// ln of the density of all losses by what is slow.
  double log_likelihood() const;

  const Noise& noise() const { return noise_; }
  const std::vector<double>& scales() const { return scales_; }
  const Incidence& incidence() const { return *incidence_; }

 private:
  struct Fall {
    double probability, fall;
  };
  double log_density(std::uint32_t measurement, double fall) const {
    return noise_.log_density((losses_[measurement] - fall) / scales_[measurement]);
  }
  double gain_of_row(std::uint32_t row, double loss) const;
  double mixed_gain(std::uint32_t measurement, const Response& response, double loss) const;
  void measure_fit();
  const Fall& likeliest(std::uint32_t measurement) const;

  const Incidence* incidence_;
  std::vector<double> losses_, scales_;
  Noise noise_;
  std::vector<double> grid_;
  std::vector<std::vector<Fall>> falls_;  // of each measurement; probabilities add up to 1
  std::vector<double> fit_;               // ln density of each measurement where it falls for sure
  std::vector<float> row_gains_;          // by row, then by loss of the grid
};

}  // namespace assay::model::fabric::locate
