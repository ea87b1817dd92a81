// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The growth of a collective's messages with the number of ranks, by the algorithm that sends them: a time is
// steps(n) alpha + volume(n) S beta (Hockney 1994), S as CollectiveRow::size_bytes has it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace assay::model::fit {

/// Costs among n ranks from 2 on: messages one after another on the longest path, and the share of S that
/// passes one rank's link.
struct RankShape {
  std::string_view name;
  double (*steps)(double ranks);
  double (*volume)(double ranks);

  /// Whether the number of steps is the same at any number of ranks: a constant part of a call is then one
  /// more of them.
  bool steps_are_constant() const { return steps(2) == steps(1024); }
};

/// The shapes of an operation as a table of timings calls it; none of a message between two.
std::span<const RankShape> rank_shapes(const std::string& operation);

/// Null where the operation has no such shape.
const RankShape* rank_shape(const std::string& operation, std::string_view name);

}  // namespace assay::model::fit
