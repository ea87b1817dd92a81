// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Power and energy of records that do not say how they were taken: means of single readings, and differences
// of a counter that steps about every 100 ms (seen on an H100), over windows of any length. Over tens of
// milliseconds they are of what ran before, or 0. Journals keep them; readers leave them out.
#pragma once

#include <string_view>

#include "results/record/record.hpp"

namespace assay::results {

/// power_w, and what was derived from it or from the energy counter.
bool is_power_metric(std::string_view name);

/// Removes such metrics and conditions where the window was shorter than 1 s, ten steps of the counter, and
/// says so in the condition power_left_out. The window is what the record says, else its samples together.
void read_older_power(PointRecord& point);

}  // namespace assay::results
