// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A fabric or a workload of a question: a file, or the TOML of a caller that has none.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/fabric/file/fabric_file.hpp"
#include "model/fabric/file/workload_file.hpp"

namespace assay::answers {

/// `file` opens every message.
struct TomlSource {
  std::string file;
  std::optional<std::string> toml = {};
};

/// All throw a usage Error with file, line, key and what was expected.
std::string fabric_text(const TomlSource& source);
model::fabric::FabricFile read_fabric(const TomlSource& source,
                                      std::span<const model::fabric::KeyValue> replaced = {});
model::fabric::WorkloadFile read_workload(const TomlSource& source);

}  // namespace assay::answers
