// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The exit codes of every program of the suite. Never a count.
#pragma once

namespace assay::core::exit_code {

inline constexpr int pass = 0;
inline constexpr int fail = 1;          // a point failed or was wrong, a verdict is FAIL
inline constexpr int usage = 2;         // bad flag, plan, file
inline constexpr int inconclusive = 3;  // nothing could run, or the result could not be written
inline constexpr int interrupted = 4;

}  // namespace assay::core::exit_code
