// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// KEY=VALUE of a command line, which replaces a key of a file before it is read.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/core/text/toml_section.hpp"

namespace assay::model::fabric {

struct KeyValue {
  std::string key, value;
  std::string flag = "--set";  // that stated it, for messages
};

/// "routing.queue_pairs=16". Throws a usage Error naming `flag` for text without both.
KeyValue key_value(const std::string& text, const std::string& flag);
std::vector<KeyValue> key_values(std::span<const std::string> texts, const std::string& flag);

/// The whole key of a fabric file: "queue_pairs" is "routing.queue_pairs", "routing" is "routing.kind".
/// Others stay.
std::string whole_key(const std::string& key);

/// A value is TOML, or else text: 16, true, e-ecmp, 512KiB. Returns the whole keys that were replaced, and
/// the tables that were made for them. Throws a usage Error where a part of a key is not a table.
std::vector<core::ReplacedKey> replace_keys(toml::table& table, std::span<const KeyValue> values);

}  // namespace assay::model::fabric
