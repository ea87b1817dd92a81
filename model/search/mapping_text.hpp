// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A configuration in words, as the tables of a search show it.
#pragma once

#include <string>

#include "model/predict/system/execution.hpp"

namespace assay::model {

/// How processors are shared out: t, p, d, b, v; and the heading above it.
std::string shares(const Execution& execution);
std::string shares_head();
/// Recompute, the exchange of tensor parallelism, and what is switched on; and the heading above it.
std::string ways(const Execution& execution);
std::string ways_head();

/// All of it in one line: "t8 p1 d512 b6 v1 net 001 attn_only rs_ag/ring sharded fused".
std::string mapping_text(const Execution& execution);

}  // namespace assay::model
