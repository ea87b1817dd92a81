// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a measurement's counters say about it: clean, congested, lossy, faulty, or that they could not tell.
#pragma once

#include <string>
#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/link/counter_deltas.hpp"

namespace assay::link {

/// unknown: a port told no counter of loss or fault, or one of them could not tell, and no loss or fault was
/// seen elsewhere.
enum class PointClass { clean, congested, lossy, faulty, unknown };

struct Circumstances {
  double gbit_per_s = 0,
         seconds = 0;  // of the measurement, for the rate of symbol errors that is allowed; 0: not told
  bool adaptive_routing = false;  // packets may overtake each other: out_of_sequence alone is then normal
};

struct Classification {
  PointClass point_class = PointClass::unknown;
  std::vector<std::string> reasons;      // "mlx5_0 out_of_sequence +12 (packets arrived ...)", gravest first
  std::vector<std::string> also_moved;   // informational counters beside traffic, and those not in the table
  std::vector<std::string> cannot_tell;  // counters of trouble that were full, reset or gone
  int watched = 0;                       // counters of trouble that could be followed
};

Classification classify(const std::vector<CounterDelta>& deltas, const Circumstances& circumstances = {});

/// One line: "lossy: mlx5_0 out_of_sequence +12 (...); mlx5_0 packet_seq_err +3 (...)", "clean: 43 counters
/// watched", "unknown: no counter of trouble could be read".
std::string describe(const Classification& classification);

/// For a point's record: link_class, link_counters (the line above), link_counters_watched, link_also_moved.
std::vector<core::Fact> facts(const Classification& classification);

/// Of both ends of a path: clean < congested < unknown < lossy < faulty.
PointClass worst(PointClass one, PointClass other);

std::string_view to_string(PointClass point_class);

}  // namespace assay::link
