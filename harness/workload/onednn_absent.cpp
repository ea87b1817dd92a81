// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Linked where this build has no oneDNN.
#include "harness/workload/absent_library.hpp"

namespace assay::workload {

const HostLibrary& onednn() {
  static const AbsentLibrary library("oneDNN");
  return library;
}

}  // namespace assay::workload
