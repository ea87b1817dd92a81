// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One judge of the list, asked by its name.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "results/judge/judges.hpp"

namespace assay::results::test {

inline std::vector<Judged> ask_judge(std::string_view name, const Evidence& evidence) {
  return std::ranges::find(judges(), name, &Judge::name)->judge(evidence);
}

}  // namespace assay::results::test
