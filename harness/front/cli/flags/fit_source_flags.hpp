// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The flags that say where timings come from.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "harness/front/answers/fit_source.hpp"

namespace assay::cli {

/// --filter GLOB, over cases or case/point.
void add_timings_filter(CLI::App& app, std::string& filter);
/// --csv, or --store, --run and --filter.
void add_fit_source_options(CLI::App& app, answers::FitSource& source);

}  // namespace assay::cli
