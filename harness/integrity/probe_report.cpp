// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/integrity/probe_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/names.hpp"

namespace assay::integrity {

std::vector<core::Metric> probe_metrics(double verified_bytes, const MismatchLog& wrong) {
  return {{.name = core::names::verified_bytes, .unit = "B", .value = verified_bytes},
          {.name = core::names::wrong_elements, .unit = "", .value = static_cast<double>(wrong.count)}};
}

void add_wrong_elements(std::vector<core::Fact>& facts, const MismatchLog& wrong,
                        const std::function<std::string(const Mismatch&)>& describe) {
  constexpr std::size_t most = 16;
  const std::vector<Mismatch> listed = listed_mismatches(wrong);
  for (std::size_t i = 0; i < std::min(listed.size(), most); ++i)
    facts.emplace_back(fmt::format("wrong_element_{}", i + 1), describe(listed[i]));
}

std::string bits_told(const Mismatch& wrong) {
  return fmt::format("expected {:#x}, got {:#x}, xor {:#x}", wrong.expected, wrong.read,
                     wrong.expected ^ wrong.read);
}

}  // namespace assay::integrity
