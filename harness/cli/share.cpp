// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/share.hpp"

#include <fmt/format.h>

#include <exception>

#include "harness/core/error.hpp"

namespace assay::cli {

double share_from(const std::string& flag, const std::string& text) {
  std::size_t read = 0;
  double value = 0;
  try {
    value = std::stod(text, &read);
  } catch (const std::exception&) {
    read = 0;
  }
  const bool percent = read > 0 && text.substr(read) == "%";
  if (percent) value /= 100;
  if (read == 0 || (!percent && read != text.size()) || !(value > 0 && value <= 1))
    core::usage_error(fmt::format("{} {}: expected a share above 0 and up to 1, as 3% or 0.03", flag, text));
  return value;
}

}  // namespace assay::cli
