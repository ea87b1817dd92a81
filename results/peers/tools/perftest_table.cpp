// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/tools/perftest_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "results/peers/text/columns.hpp"
#include "results/peers/tools/perftest_run.hpp"

namespace assay::results::peers {
namespace {

/// Takes `words` off the heading; whether it was there.
bool take_words(std::string_view& heading, std::string_view words) {
  heading = trimmed(heading);
  if (!heading.starts_with(words)) return false;
  heading.remove_prefix(words.size());
  return true;
}

}  // namespace

PerftestTable perftest_table_of(std::string_view heading) {
  constexpr std::array<std::string_view, 14> names{
      "#bytes",      "#iterations",         "#sl",         "BW peak[",        "BW average[", "MsgRate[Mpps]",
      "CPU_Util[%]", "t_min[usec]",         "t_max[usec]", "t_typical[usec]", "t_avg[usec]", "t_stdev[usec]",
      "tps average", "99% percentile[usec]"};
  PerftestTable table;
  while (!trimmed(heading).empty()) {
    if (take_words(heading, "99.9% percentile[usec]")) {
      table.columns.emplace_back("p999");
      continue;
    }
    const auto* const name =
        std::ranges::find_if(names, [&](std::string_view words) { return take_words(heading, words); });
    if (name == names.end()) {
      table.fault = fmt::format("unknown column in the heading: '{}'", trimmed(heading).substr(0, 40));
      return table;
    }
    table.columns.emplace_back(*name);
    if (!name->ends_with('[') || !name->starts_with("BW")) continue;
    const std::string_view unit = heading.substr(0, heading.find(']'));
    table.bytes_per_unit = unit == "Gb/sec"                        ? perftest_gbit
                           : unit == "MB/sec" || unit == "MiB/sec" ? perftest_mib
                                                                   : 0;
    if (table.bytes_per_unit == 0)
      table.fault = fmt::format("unit '{}': expected MB/sec, MiB/sec or Gb/sec", unit);
    heading.remove_prefix(std::min(heading.size(), unit.size() + 1));
  }
  return table;
}

}  // namespace assay::results::peers
