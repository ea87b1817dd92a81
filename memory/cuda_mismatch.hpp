// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Words that did not read back as written are harness/integrity's: here under the names this module uses.
#pragma once

#include "harness/integrity/mismatch.hpp"

namespace assay::memory {

using integrity::describe;
using integrity::listed_mismatches;
using integrity::Mismatch;
using integrity::MismatchLog;

}  // namespace assay::memory
