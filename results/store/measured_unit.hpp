// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The unit that a point measured, a host or one of its GPUs, and what hardware that is.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace assay::results {

/// "gpu=3,bytes=1024" of memory.cuda.copy is "memory.cuda.copy/bytes=1024" of GPU "3".
struct PointIdentity {
  std::string gpu;  // empty: of the host
  std::string metric;

  /// "node7", "node7/gpu3".
  std::string unit(const std::string& host) const { return gpu.empty() ? host : host + "/gpu" + gpu; }
};

PointIdentity identity_of(const std::string& case_name, const std::string& key);

/// Processor of a host, name of a GPU, without blanks that mean nothing. Empty where the description of the
/// machine does not say.
std::string hardware_of(const nlohmann::ordered_json& machine, const std::string& gpu);

/// A text that units share if they may be compared: those of equal parts by the inventory, such as the number
/// of multiprocessors and the size of the memory; by name, whatever its case and blanks, where it has none.
std::string equals_of(const nlohmann::ordered_json& machine, const std::string& gpu);

}  // namespace assay::results
