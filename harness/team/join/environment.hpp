// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The environment of a process, replaceable in tests.
#pragma once

#include <functional>

namespace assay::team {

/// nullptr where the variable is not set, as std::getenv.
using Environment = std::function<const char*(const char*)>;
Environment environment_of_this_process();

}  // namespace assay::team
