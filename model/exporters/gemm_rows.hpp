// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The GEMMs that an exporter writes down or fits.
#pragma once

#include "model/exporters/exported.hpp"
#include "model/fit/timing_rows.hpp"

namespace assay::model::exporters {

/// Of the request's group, where it names one. Throws a usage error where it names one that is not there.
fit::Timings<fit::GemmRow> gemm_timings(const ExportRequest& request);

/// Throws a usage error that names all groups where the rows are of more than one.
void must_be_one_group(const fit::Timings<fit::GemmRow>& timings);

}  // namespace assay::model::exporters
