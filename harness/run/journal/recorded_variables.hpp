// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace assay::run {

/// The environment variables whose values a record keeps, by their whole names: they change what is measured,
/// and none holds a secret. Journals are handed to others, so nothing is kept because of a prefix.
std::span<const std::string_view> recorded_variables();

}  // namespace assay::run
