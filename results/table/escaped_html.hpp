// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace assay::results {

/// The text with a substitute for each of these bytes.
std::string replaced(const std::string& text, std::initializer_list<std::pair<char, std::string_view>> bytes);

/// For HTML and XML, in text and in attributes.
std::string escaped_html(const std::string& text);

}  // namespace assay::results
