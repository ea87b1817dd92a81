// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/gemm_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "harness/core/error.hpp"

namespace assay::model::exporters {
namespace {

using fit::GemmRow;

std::string groups_of(const std::vector<GemmRow>& rows) {
  std::set<std::string> groups;
  for (const GemmRow& row : rows) groups.insert(fmt::format("'{}'", row.group()));
  return fmt::format("{}", fmt::join(groups, ", "));
}

}  // namespace

fit::Timings<GemmRow> gemm_timings(const fit::CsvSource& source, const std::string& group) {
  fit::Timings<GemmRow> timings = fit::read_gemm_timings(source);
  if (group.empty()) return timings;
  const std::string groups = groups_of(timings.rows);
  std::erase_if(timings.rows, [&](const GemmRow& row) { return row.group() != group; });
  if (timings.rows.empty())
    core::usage_error(fmt::format("{}: no GEMM of '{}' (there are: {})", source.name, group, groups));
  return timings;
}

void must_be_one_group(const fit::Timings<GemmRow>& timings) {
  for (const GemmRow& row : timings.rows)
    if (row.group() != timings.rows.front().group())
      core::usage_error(fmt::format("{}: GEMMs of several dtypes or layouts ({}): choose one with --gemm",
                                    timings.table.path(), groups_of(timings.rows)));
}

}  // namespace assay::model::exporters
