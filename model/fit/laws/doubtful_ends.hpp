// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rows at either end of a curve that break a rule of transfer times: more bytes never take less time, and
// the time never grows faster than the bytes. Such a row may be a change of protocol, but more often is one
// bad measurement, and has no neighbour beyond it to correct it.
#pragma once

#include <vector>

#include "model/fit/regression/segments.hpp"

namespace assay::model::fit {

/// For each point of one curve, in their order: whether it is the smallest or the largest size and, against
/// the next size inwards, falls with the size or grows faster than it by more than a fifth. Rows in the
/// middle are never doubtful: their neighbours judge them.
std::vector<bool> doubtful_ends(const std::vector<TimedSize>& curve);

}  // namespace assay::model::fit
