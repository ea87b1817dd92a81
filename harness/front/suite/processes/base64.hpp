// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bytes as a word that every launcher and terminal hands on unchanged: base64url of RFC 4648, no padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::suite {

std::string to_base64(std::string_view bytes);
/// Nothing for what is not base64url.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace assay::suite
