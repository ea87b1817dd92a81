// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Records once named ranks, links and flows in words: the condition rank1_host, the condition link_class with
// a sentence next to it, the metric flow_0_to_1_gb_per_s. Now they are lists.
#pragma once

#include <string_view>

#include "results/record/record.hpp"

namespace assay::results {

/// Moves what such conditions and metrics say into the lists.
void read_older_form(PointRecord& point);

/// Adds the units that only axes named.
void read_older_units(PointRecord& point);

/// Whether conditions, as JSON, name a rank or the class of a link.
bool is_of_older_form(std::string_view conditions);

}  // namespace assay::results
