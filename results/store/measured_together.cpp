// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/measured_together.hpp"

#include <fmt/format.h>

#include "harness/core/text/glob.hpp"

namespace assay::results {

bool measured_together(const ContextRecord& context) {
  const auto& environment = context.environment;
  const char* const name = "ASSAY_BURN_IN";
  if (environment.is_object() && environment.contains(name) && environment[name].is_string())
    return environment[name].get<std::string>().ends_with(" together");
  return core::glob_matches("*-r[0-9][0-9][0-9][0-9]*-together-*", context.run_id);
}

std::string together_note(std::size_t points) {
  return fmt::format(
      "{} points of a burn-in's rounds together are left out: what runs together with another module is "
      "not compared with a quiet machine",
      points);
}

}  // namespace assay::results
