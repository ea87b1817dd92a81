// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Verdicts as OCP Test & Validation output 2.0, JSON lines
// (https://github.com/opencomputeproject/ocp-diag-core, json_spec/README.md).
#pragma once

#include "harness/core/files/byte_stream.hpp"
#include "results/judge/exchange/tested_system.hpp"
#include "results/judge/exchange/told_run.hpp"
#include "results/judge/verdict/verdicts.hpp"

namespace assay::results {

/// A test step for each row: its value with the limit as validators, and a diagnosis, UNKNOWN for what was
/// not decided. The run ends with COMPLETE where the whole is fit or FAIL, and else with SKIP and
/// NOT_APPLICABLE: the specification knows no other end that is neither PASS nor FAIL.
void write_ocp(const Verdicts& verdicts, const TestedSystem& system, const ToldRun& run,
               const core::ByteSink& sink);

}  // namespace assay::results
