// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The library calls what it refuses "fabric: ..."; users know the fabric by its file.
#pragma once

#include <string>
#include <string_view>

#include "harness/core/error.hpp"

namespace assay::answers {

/// Errors of the kind usage that open with "fabric: " open with `file` instead.
template <class Work>
auto naming_file(const std::string& file, const Work& work) {
  constexpr std::string_view opening = "fabric: ";
  try {
    return work();
  } catch (const core::Error& error) {
    const std::string_view what = error.what();
    if (error.kind() != core::ErrorKind::usage || !what.starts_with(opening)) throw;
    core::usage_error(file + ": " + std::string(what.substr(opening.size())));
  }
}

}  // namespace assay::answers
