// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Text that every reader takes: what a kernel or a driver said may hold bytes that no XML and no label may.
#pragma once

#include <string>

namespace assay::results {

/// Valid UTF-8: bytes that are none become U+FFFD, control characters but line feeds a space.
std::string valid_text(const std::string& text);

}  // namespace assay::results
