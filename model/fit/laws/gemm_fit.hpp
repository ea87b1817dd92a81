// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// GEMM time against (m, n, k) for each dtype and layout: a formula with named coefficients, and a surface
// over what it leaves.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/fit/laws/gemm_core.hpp"
#include "model/fit/regression/accuracy.hpp"
#include "model/fit/regression/boosted_trees.hpp"
#include "model/fit/regression/relative_fit.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::fit {

/// The least and the most of each size among the shapes of a fit.
struct ShapeRange {
  GemmShape least, most;
};

/// The fitted time of one dtype and layout.
class GemmModel {
 public:
  GemmDevice device;
  GemmFormula formula = GemmFormula::roofline;
  std::vector<Coefficient> coefficients;
  BoostedTrees surface;                     // of log(measured / formula)
  std::optional<ShapeRange> measured = {};  // older files do not say

  double core_us(const GemmShape& shape) const;
  double time_us(const GemmShape& shape) const;
};

/// Errors of a fit on what was kept from it, by the same recipe on the rest.
struct GemmHeldOut {
  Errors rows;   // a fifth of the shapes; of a small group every fifth, by the other four
  Errors pairs;  // a fifth of the (n, k), whole
  /// Rows of shapes that were measured more than once, each against the mean of the others of its shape: what
  /// no fit can be expected to better. Empty where no shape is repeated.
  Errors repeats;
  std::map<std::string, double>
      core_mape_percent;  // of each formula alone, on the rows: decides which is taken
};

struct GemmFit {
  GemmModel model;
  GemmHeldOut held_out;
  std::size_t shapes = 0;
};

struct GemmFits {
  std::map<std::string, GemmFit> groups;  // by GemmRow::group()
  std::vector<std::string> left_out;      // one line for each group that has too few shapes
};

struct GemmFitOptions {
  std::uint64_t seed = 1;
  std::optional<double> multiprocessors = {};  // instead of what the rows say
  TreeOptions trees = {};
};

/// The number of shapes from which a group has waves, if they are better, and a surface.
inline constexpr std::size_t fewest_shapes_of_surface = 40;
/// With fewer the three coefficients of a roofline do not leave four rows each.
inline constexpr std::size_t fewest_gemm_shapes = 12;

/// Multiprocessors where neither rows nor options say a number: an H100 SXM has as many.
inline constexpr double assumed_multiprocessors = 132;

/// Multiprocessors that the fit counts waves over: the options' number, else that of the rows. Throws a usage
/// error naming the row that says another than the rows before it.
double multiprocessors_of(const Timings<GemmRow>& timings, const GemmFitOptions& options);

/// Fits each group; one of fewer than fewest_shapes_of_surface different shapes, or of batched products, gets
/// the roofline alone. Throws a usage error naming file and row for a dtype of unknown width, and the file
/// where no group has fewest_gemm_shapes.
GemmFits fit_gemm(const Timings<GemmRow>& timings, const GemmFitOptions& options);

}  // namespace assay::model::fit
