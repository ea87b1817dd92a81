// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How many files a process may have open, for ranks that hold many connections.
#pragma once

#include <cstddef>
#include <string>

namespace assay::team {

/// Raises the soft limit where it is under `needed`. Throws core::Error (usage) with one line that begins
/// with `what` where the hard limit is.
void allow_descriptors(std::size_t needed, const std::string& what);

}  // namespace assay::team
