// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/flags/log_option.hpp"

#include "harness/core/text/log_lines.hpp"

namespace assay::cli {

void add_log_option(CLI::App& app) {
  app.add_option_function<std::string>(
         "--log",
         [](const std::string& format) {
           if (format == "json") core::log_as_json("assay");
         },
         "json: progress and warnings as JSON lines on standard error; standard output has the result alone")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
}

}  // namespace assay::cli
