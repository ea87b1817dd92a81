// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Flags of other tools' commands, as getopt(3) reads them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

struct ForeignFlag {
  std::string_view letter, name;  // "-b", "--minbytes"; either may be empty
  bool has_value = true;
  std::string_view note = {};  // why assay needs none; empty: it is translated
};

struct ForeignCommand {
  std::map<std::string, std::string, std::less<>> given = {};  // by the flag's letter, else its name
  std::vector<std::string> rest = {};                          // positional
  std::vector<std::string> notes = {};                         // of flags that are not translated

  std::optional<std::string> value(std::string_view flag) const;
  bool has(std::string_view flag) const { return given.contains(flag); }
};

/// Throws a usage Error for a flag whose value is missing.
ForeignCommand read_foreign(std::span<const std::string> words, std::span<const ForeignFlag> flags);

/// "8G" of a tool that counts in powers of 1,024 is "8GiB"; "8" is "8B". Throws a usage Error naming the
/// flag.
std::string binary_size(std::string_view flag, const std::string& text);
/// Throws a usage Error naming the flag for what is not a positive whole number.
long positive_number(std::string_view flag, const std::string& text);

}  // namespace assay::cli
