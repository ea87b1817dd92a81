// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/integrity/digest.hpp"

#include <fmt/format.h>

namespace assay::integrity {

std::string to_text(const Digest& digest) { return fmt::format("{:016x}{:016x}", digest.high, digest.low); }

}  // namespace assay::integrity
