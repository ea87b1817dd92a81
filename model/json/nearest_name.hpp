// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The known name that the writer of an unknown name may have meant.
#pragma once

#include <span>
#include <string_view>

namespace assay::model {

/// The name of the fewest letters put in, left out or changed, at most a third of `text`'s and at most 3; the
/// first of several, and empty where none is so near. Capitals count as small letters.
std::string_view nearest_name(std::string_view text, std::span<const std::string_view> names);

}  // namespace assay::model
