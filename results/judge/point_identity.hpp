// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whose a point is: of a GPU of its host, or of the host.
#pragma once

#include <string>

namespace assay::results {

/// "gpu=3,bytes=1024" of memory.cuda.copy is "memory.cuda.copy/bytes=1024" of GPU "3".
struct PointIdentity {
  std::string gpu;  // empty: of the host
  std::string metric;

  std::string unit(const std::string& host) const { return gpu.empty() ? host : host + "/gpu" + gpu; }
};

PointIdentity identity_of(const std::string& case_name, const std::string& key);

}  // namespace assay::results
