// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Time of a collective against size: per system, operation, ranks, algorithm and dtype pieces of latency and
// bandwidth with names and intervals, and for prediction one line with a surface over what it leaves.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/fit/laws/rank_law.hpp"
#include "model/fit/regression/accuracy.hpp"
#include "model/fit/regression/segments.hpp"
#include "model/fit/regression/size_surface.hpp"
#include "model/fit/rows/overtaken.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::fit {

/// The curve of one dtype.
struct CollectiveCurve {
  Segment line;  // one piece over all sizes of its family, mostly of its dtype: what the surface lies on
  std::vector<Segment> segments;
};

/// The curves of one system, operation, number of ranks, number of nodes and algorithm: a switch of algorithm
/// is never inside.
struct CollectiveFamily {
  FamilyName name;
  std::map<std::string, CollectiveCurve> curves;  // by dtype
  std::string surface;
};

struct CollectiveModels {
  std::map<std::string, CollectiveFamily> families;  // by CollectiveRow::family()
  std::map<std::string, SizeSurface> surfaces;

  /// The family of the row; where these models have none of its nodes, that of unknown ones, as older files
  /// have it.
  std::string family_of(const CollectiveRow& row) const;
  const CollectiveCurve* curve(const std::string& family, const std::string& dtype) const;
  /// The time of a curve that is there; size in bytes. The one law of every prediction: the line with the
  /// surface over it, which from `surface_reaches` times beyond the sizes of the family on keeps its last
  /// value.
  double time_us(const std::string& family, const std::string& dtype, double size_bytes) const;
};

/// How far beyond the sizes of its family, as a factor, a surface is asked.
inline constexpr double surface_reaches = 8;

struct CollectiveFit {
  CollectiveModels models;
  Errors held_out;           // every row, predicted by the same recipe from four fifths without its size
  Errors held_out_ends;      // the smallest and the largest size of each family, from a fit without that size
  Errors held_out_segments;  // the same by the segments alone
  std::vector<RankLaw> rank_laws;     // for numbers of ranks that were not measured
  std::vector<Overtaken> overtaken;   // of all rows
  std::vector<std::string> left_out;  // one line for each curve that has too few sizes
};

inline constexpr std::size_t fewest_sizes = 4;
/// The families of a system within a node, or over nodes, share one surface up to this many rows; with more,
/// each has its own: it needs no neighbours then, and the time of a surface is cubic.
inline constexpr std::size_t most_rows_shared = 600;
inline constexpr std::size_t most_rows_of_surface = 2000;

/// Throws a usage error naming the file where no curve has fewest_sizes different sizes, and file and row for
/// a family with more than most_rows_of_surface rows (the surface solves a dense system).
CollectiveFit fit_collectives(const Timings<CollectiveRow>& timings, std::uint64_t seed);

}  // namespace assay::model::fit
