// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The GEMMs that an exporter writes down or fits.
#pragma once

#include <string>

#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::exporters {

/// GEMM timings of this group, "bf16/cuda TN"; empty: of all. Throws a usage error for one that is not there.
fit::Timings<fit::GemmRow> gemm_timings(const fit::CsvSource& source, const std::string& group);

/// Throws a usage error that names all groups where the rows are of more than one.
void must_be_one_group(const fit::Timings<fit::GemmRow>& timings);

}  // namespace assay::model::exporters
