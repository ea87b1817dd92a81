// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Verdicts in the Common Test Report Format (https://github.com/ctrf-io/ctrf, spec/ctrf.md).
#pragma once

#include "harness/core/files/byte_stream.hpp"
#include "results/judge/exchange/told_run.hpp"
#include "results/judge/verdict/verdicts.hpp"

namespace assay::results {

/// A test for each row: passed where it is fit, failed for FAIL, other for INCONCLUSIVE, skipped for what was
/// not run or is excused; rawStatus is the verdict. The first test, "evidence is complete", fails where the
/// whole is not, for readers that take the last two for good. A row's time is not measured: its duration,
/// which the format asks for, is 0; the summary has the process's.
void write_ctrf(const Verdicts& verdicts, const ToldRun& run, const core::ByteSink& sink);

}  // namespace assay::results
