// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace assay::results {

/// For HTML and XML, in text and in attributes.
std::string escaped_html(const std::string& text);

}  // namespace assay::results
