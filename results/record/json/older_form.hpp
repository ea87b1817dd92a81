// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Records once named ranks, links and flows in words: the condition rank1_host, the condition link_class with
// a sentence next to it, the metric flow_0_to_1_gb_per_s. Now they are lists.
#pragma once

#include <string>
#include <string_view>

#include "results/record/record.hpp"

namespace assay::results {

/// Moves what such conditions and metrics say into the lists.
void read_older_form(PointRecord& point);

/// Adds the units that only axes named.
void read_older_units(PointRecord& point);

/// Collectives once called fp32 float32 and fp64 float64: the axis dtype and the key get the new words.
void read_older_types(PointRecord& point);

/// Whether axes, as JSON, have such a word.
bool has_older_types(std::string_view axes);

/// Whether a metric of that name is the rate of a flow.
bool is_older_metric(std::string_view name);

/// Whether conditions, as JSON, name a rank or say something of a link.
bool is_of_older_form(std::string_view conditions);

}  // namespace assay::results
