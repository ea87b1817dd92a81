// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/error.hpp"
#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {

Trace read_trace(const std::string& file) {
  core::usage_error(file + ": Chakra traces are not read: this build has no protobuf");
}

}  // namespace assay::model::workload
