// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The matrix products of harness/workload are what this module is about: here under the names it uses.
#pragma once

#include "harness/workload/problem.hpp"

namespace assay::gemm {

using workload::all_dtypes;
using workload::all_passes;
using workload::Dtype;
using workload::dtype_from;
using workload::element_bytes;
using workload::OutputType;
using workload::Pass;
using workload::pass_from;
using workload::Problem;
using workload::require_possible;
using workload::to_string;

}  // namespace assay::gemm
