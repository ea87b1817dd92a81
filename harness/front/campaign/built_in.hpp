// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The campaigns that ship with the programs: campaigns/*.toml, embedded at build time.
#pragma once

#include <span>
#include <string_view>

namespace assay::campaign {

struct BuiltIn {
  std::string_view name, toml;
};

extern const std::span<const BuiltIn> built_in;

}  // namespace assay::campaign
