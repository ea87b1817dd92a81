// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/workload/host_library.hpp"

namespace assay::workload {

const HostLibrary& host_library(Dtype dtype) { return dtype == Dtype::fp64 ? blas() : onednn(); }

}  // namespace assay::workload
