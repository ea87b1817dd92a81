// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Blocks that begin with one of several lines, each of which comes once a run, in a known order; any may be
// absent.
#pragma once

#include <algorithm>
#include <string_view>

#include "results/peers/reader.hpp"

namespace assay::results::peers {

/// For Reader::opens. `mark_of`: 0 of other lines, else the line's place in the order.
template <class MarkOf>
bool opens_by_marks(Lines lines, std::size_t at, std::size_t begin, const MarkOf& mark_of) {
  const int mark = mark_of(lines[at].text);
  if (mark == 0) return false;
  int latest = 0;
  for (std::size_t i = begin; i < at; ++i) latest = std::max(latest, mark_of(lines[i].text));
  return begin >= lines.size() || mark <= latest;
}

}  // namespace assay::results::peers
