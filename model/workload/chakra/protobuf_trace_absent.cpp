// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/error.hpp"
#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {

Trace read_protobuf_trace(const std::string& file, std::string_view /*bytes*/) {
  core::usage_error(file + ": Chakra traces in protobuf are not read: this build has no protobuf");
}

}  // namespace assay::model::workload
