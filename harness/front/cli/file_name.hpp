// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A file on the command line: an empty name, as of a shell variable that is not set, is refused. It would
// pass for one that was left out.
#pragma once

#include <CLI/CLI.hpp>

namespace assay::cli {

CLI::Validator file_name();

}  // namespace assay::cli
