// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Text to JSON, compiled once: each source that instantiated nlohmann's parser itself took 1.5 s longer to
// compile. Text beyond the bounds of parse_limits.hpp is refused before anything is built; time is linear in
// size.
#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace assay::core {

template <class Json>
concept EitherJson = std::same_as<Json, nlohmann::json> || std::same_as<Json, nlohmann::ordered_json>;

/// Throws nlohmann::json::parse_error, for text beyond a limit and a number beyond a double too. Of equal
/// keys the last one counts.
template <EitherJson Json>
Json json_from(std::string_view text);

/// Text that is not JSON, or is beyond a limit, becomes a value that `is_discarded()`.
template <EitherJson Json>
Json json_or_discarded(std::string_view text);

/// "more than 64 levels of lists and objects" or "an object has more than 4096 keys"; empty where the text
/// keeps both limits, whether or not it is JSON. Builds nothing.
std::string json_beyond_limits(std::string_view text);

}  // namespace assay::core
