// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A number on the command line, between two others. CLI11's own range lets NaN pass.
#pragma once

#include <CLI/CLI.hpp>

namespace assay::cli {

CLI::Validator number_between(double least, double most);

}  // namespace assay::cli
