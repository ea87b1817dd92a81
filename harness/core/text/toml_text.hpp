// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// TOML by toml++, which is compiled in one place.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace assay::core {

/// Throws a usage Error "NAME:LINE: not TOML: why".
toml::table parse_toml(std::string_view text, const std::string& name);

}  // namespace assay::core
