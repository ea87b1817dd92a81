// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One opening for all that is wrong with a fabric.
#pragma once

#include <string>

#include "harness/core/error.hpp"

namespace assay::model::fabric {

/// Throws a usage Error.
[[noreturn]] inline void refuse(const std::string& what) { core::usage_error("fabric: " + what); }

}  // namespace assay::model::fabric
