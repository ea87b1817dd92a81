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
/// parse_toml() of a file (input_file.hpp) of at most 16 MiB.
toml::table read_toml(const std::string& file, const std::string& expected);

}  // namespace assay::core
