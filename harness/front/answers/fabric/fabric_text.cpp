// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fabric/fabric_text.hpp"

namespace assay::answers {

namespace fabric = model::fabric;

std::string fabric_text(const TomlSource& source) {
  return source.toml ? *source.toml : fabric::fabric_text(source.file);
}

fabric::FabricFile read_fabric(const TomlSource& source, std::span<const fabric::KeyValue> replaced) {
  return source.toml ? fabric::parse_fabric(*source.toml, source.file, replaced)
                     : fabric::read_fabric(source.file, replaced);
}

fabric::WorkloadFile read_workload(const TomlSource& source) {
  return source.toml ? fabric::parse_workload(*source.toml, source.file) : fabric::read_workload(source.file);
}

}  // namespace assay::answers
