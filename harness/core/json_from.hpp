// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Text to JSON, compiled once: each source that instantiated nlohmann's parser itself took 1.5 s longer to
// compile.
#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <string_view>

namespace assay::core {

template <class Json>
concept EitherJson = std::same_as<Json, nlohmann::json> || std::same_as<Json, nlohmann::ordered_json>;

/// Throws nlohmann::json::parse_error.
template <EitherJson Json>
Json json_from(std::string_view text);

/// Text that is not JSON becomes a value that `is_discarded()`.
template <EitherJson Json>
Json json_or_discarded(std::string_view text);

}  // namespace assay::core
