// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A JSON document with one list that is too large for memory: its elements are given one by one.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/core/files/byte_stream.hpp"

namespace assay::results {

/// Takes the next element, which lasts for the call.
using JsonElementSink = std::function<void(const nlohmann::ordered_json& element)>;

/// The document, in which the list of that key of the outermost object is empty: its elements go to the sink,
/// in order, as they are read. What the key holds instead of a list stays. Throws std::runtime_error with one
/// line for text that is not JSON, and as require_unique_keys(), which may be after some elements were given.
nlohmann::ordered_json parse_streaming(const core::ByteSource& source, std::string_view list,
                                       const JsonElementSink& take);

}  // namespace assay::results
