// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Text to JSON, compiled once: each source that instantiated nlohmann's parser itself took 1.5 s longer to
// compile.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace assay::core {

/// Throws `Json::parse_error`. `Json`: nlohmann::json or nlohmann::ordered_json.
template <class Json>
Json json_from(std::string_view text);

/// Text that is not JSON becomes a value that `is_discarded()`.
template <class Json>
Json json_or_discarded(std::string_view text);

}  // namespace assay::core
