// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The offload module's copies: between host and GPU, from one GPU to another, and of several GPUs at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/points/run_points.hpp"

namespace assay::results {

struct CopyPoint : MeasuredPoint {
  std::int64_t bytes() const;  // each way
  std::string path() const;    // of a copy to a peer: "peer access"
  /// The bandwidth that the link's rate and coding leave, of all ways that are copied at once.
  std::optional<double> ceiling_gb_per_s() const;
  /// The headline over the ceiling; 1 is the ceiling.
  std::optional<Number> share_of_ceiling() const;
};

/// Points whose headline is a bandwidth, of offload.*.copy, offload.*.peer_copy and offload.*.node_copy, or
/// of the cases that the glob names.
std::vector<CopyPoint> copy_points(const RunPoints& run, const std::string& cases = "offload.*copy");

/// Those of one benchmark: "copy", "peer_copy", "node_copy".
std::vector<CopyPoint> copies_of(const std::vector<CopyPoint>& points, const std::string& benchmark);

/// "h2d, engine, pinned"; without what the point has no axis for.
std::string copy_way(const StoredPoint& point);

/// Axes whose values say nothing without their name, as words that do: "on the source", "both ways".
Fields axes_in_words(const Fields& axes);

}  // namespace assay::results
