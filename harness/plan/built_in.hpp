// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The plans that ship with the programs: plans/*.toml, embedded at build time.
#pragma once

#include <span>
#include <string_view>

namespace assay::plan {

struct BuiltIn {
  std::string_view name, toml;
};

extern const std::span<const BuiltIn> built_in;

}  // namespace assay::plan
