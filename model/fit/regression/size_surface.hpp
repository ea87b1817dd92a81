// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The residuals of latency-bandwidth lines as smooth functions of log2(size): one common to all curves, one
// of each family (operation, ranks) on top, one of each dtype in it on top of that. Curves lend each other
// shape where one lacks points and keep what is their own.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace assay::model::fit {

struct SurfacePlace {
  double log2_size = 0;
  std::string family, dtype;
};

struct SurfacePoint {
  SurfacePlace place;
  double value = 0;       // log(measured / line)
  bool doubtful = false;  // it breaks a bound that times keep (doubtful_ends.hpp): the others must confirm it
};

/// Standard deviations of the three parts and of the noise, relative; how far sizes feel each other, in
/// powers of two. Sizes below `flat_below_bytes` count as nearly one, for there a latency is all, and so do
/// those above `flat_above_bytes`, where a bandwidth is: rows at the ends vouch for each other, and a single
/// one gives no slope beyond them.
struct SurfaceScales {
  double common = 0.4, family = 0.4, dtype = 0.1;
  double length = 8;
  double noise = 0.02;
  double flat_below_bytes = 0, flat_above_bytes = std::numeric_limits<double>::infinity();
};

/// Gaussian process regression with Matern's kernel of order 3/2; rows far from what the others say of them
/// are weighted down.
class SizeSurface {
 public:
  struct Anchor {
    SurfacePlace place;
    double weight = 0;
  };

  SizeSurface() = default;
  SizeSurface(const SurfaceScales& scales, std::vector<Anchor> anchors);

  /// Cubic in the points.
  static SizeSurface fit(const std::vector<SurfacePoint>& points, const SurfaceScales& scales);

  double predict(const SurfacePlace& place) const;
  const SurfaceScales& scales() const { return scales_; }
  const std::vector<Anchor>& anchors() const { return anchors_; }

 private:
  SurfaceScales scales_;
  std::vector<Anchor> anchors_;
  std::vector<double> felt_sizes_;  // of the anchors
};

}  // namespace assay::model::fit
