// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Linked where this build has no OpenBLAS.
#include "harness/workload/absent_library.hpp"

namespace assay::workload {

const HostLibrary& blas() {
  static const AbsentLibrary library("BLAS");
  return library;
}

}  // namespace assay::workload
