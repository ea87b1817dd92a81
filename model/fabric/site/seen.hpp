// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How often something was seen in a site's list, and the first few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/core/units.hpp"

namespace assay::model::fabric::site {

struct Seen {
  static constexpr std::size_t most_named = 3;

  std::size_t count = 0;
  std::string first;

  void add(const std::string& one) {
    if (count < most_named) first += (count == 0 ? "" : ", ") + one;
    if (count++ == most_named) first += ", ...";
  }
  std::string text(std::string_view noun) const {
    return core::counted(static_cast<std::int64_t>(count), noun);
  }
};

}  // namespace assay::model::fabric::site
