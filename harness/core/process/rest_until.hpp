// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Waits that end on time without a core of their own.
#pragma once

namespace assay::core {

/// Until steady_seconds() is `when_s`: sleeps, and gives its core away for the last of it, which sleeping
/// would overshoot.
void rest_until(double when_s);

}  // namespace assay::core
