// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A file on the command line: an empty name, as of a shell variable that is not set, is refused. It would
// pass for one that was left out.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace assay::cli {

CLI::Validator file_name();

/// An option, or an argument, that names a file.
template <class Value>
CLI::Option* add_file(CLI::App& app, const std::string& name, Value& value, const std::string& about,
                      const std::string& type = "FILE") {
  return app.add_option(name, value, about)->check(file_name())->type_name(type);
}

}  // namespace assay::cli
