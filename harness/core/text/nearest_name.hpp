// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Names that are not known, and those that their writers may have meant.
#pragma once

#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::core {

/// The name of the fewest letters put in, left out or changed, at most a third of `text`'s and at most 3; the
/// first of several, and empty where none is so near. Capitals count as small letters.
std::string_view nearest_name(std::string_view text, std::span<const std::string_view> names);

/// "; did you mean NAME?", or nothing where none is so near.
std::string meant_instead_of(std::string_view text, std::span<const std::string_view> names);

/// The complaint about a key that is not among `known`, after its place: "unknown key (expected ...); did
/// you mean size?".
std::string unknown_key(std::string_view key, std::span<const std::string_view> known);

/// The known keys of a map or a list of pairs, which must outlive them.
template <std::ranges::input_range Pairs>
std::vector<std::string_view> keys_of(const Pairs& pairs) {
  std::vector<std::string_view> keys;
  for (const auto& pair : pairs) keys.emplace_back(pair.first);
  return keys;
}

}  // namespace assay::core
