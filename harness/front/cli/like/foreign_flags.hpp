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

/// Words besides flags, as the tool takes them.
enum class Positional { none, some };
/// Values that are joined to a flag's letter: "-b8".
enum class Joined { never, may_be };

/// Throws a usage Error for a flag whose value is missing, and for an unknown one where the word after it may
/// be its value or stand alone.
ForeignCommand read_foreign(std::span<const std::string> words, std::span<const ForeignFlag> flags,
                            Positional positional, Joined joined);

/// "8G" of a tool that counts in powers of 1,024 is "8GiB"; "8" is "8B". Throws a usage Error naming the
/// flag.
std::string binary_size(std::string_view flag, const std::string& text);
/// Throws a usage Error naming the flag unless `text` is a whole number from `least` to `most`.
long whole_number(std::string_view flag, const std::string& text, long least, long most);
/// At least 1, and at most 2^20: ranks, threads, factors, seconds.
long positive_number(std::string_view flag, const std::string& text);

}  // namespace assay::cli
