// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What latency-bandwidth lines leave, as smooth functions of log2(size): one common to all curves, one of
// each family (operation, ranks) on top, one of each dtype in it on top of that. Curves lend each other shape
// where one lacks points and keep what is their own.
#pragma once

#include <string>
#include <vector>

namespace assay::model::fit {

struct SurfacePlace {
  double log2_size = 0;
  std::string family, dtype;
};

struct SurfacePoint {
  SurfacePlace place;
  double value = 0;  // log(measured / line)
};

/// Standard deviations of the three parts and of the noise, relative; how far sizes feel each other, in
/// powers of two.
struct SurfaceScales {
  double common = 0.4, family = 0.4, dtype = 0.1;
  double length = 8;
  double noise = 0.02;
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
  SizeSurface(const SurfaceScales& scales, std::vector<Anchor> anchors)
      : scales_(scales), anchors_(std::move(anchors)) {}

  /// Cubic in the points.
  static SizeSurface fit(const std::vector<SurfacePoint>& points, const SurfaceScales& scales);

  double predict(const SurfacePlace& place) const;
  const SurfaceScales& scales() const { return scales_; }
  const std::vector<Anchor>& anchors() const { return anchors_; }

 private:
  SurfaceScales scales_;
  std::vector<Anchor> anchors_;
};

}  // namespace assay::model::fit
