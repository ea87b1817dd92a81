// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/flags/number_range.hpp"

#include <fmt/format.h>

#include <string>

namespace assay::cli {

CLI::Validator number_between(double least, double most) {
  return {[least, most](std::string& text) {
            double number = 0;
            const bool is_within =
                CLI::detail::lexical_cast(text, number) && number >= least && number <= most;
            return is_within ? std::string()
                             : fmt::format("expected a number from {} to {}, got '{}'", least, most, text);
          },
          ""};  // no range in the help
}

}  // namespace assay::cli
